import { Worker } from 'node:worker_threads'
import { log } from '../log/log.server.ts'
import { tuneTo, type Vector } from './vector.rules.ts'

// Turns sentences into vectors that are near each other when their meaning is. A small model, which comes as a package,
// runs in a worker thread: the thread starts with the first sentence and ends when it has been idle.

/** Three minutes without a question free its memory. */
const IDLE_MS = 180_000
const MOST_KEPT = 4_000
const MOST_LENGTH = 400
const PART = 8
/** After a failed start the next attempt waits this long. */
const REST_MS = 60_000

export type Meaning = {
  /** One vector for each text; null when the model does not answer in time or cannot run here. */
  of: (texts: string[], patienceMs?: number) => Promise<Vector[] | null>
  isAwake: () => boolean
  stop: () => Promise<void>
}

type Pending = { resolve: (vectors: Vector[] | null) => void; texts: string[] }
export type FromWorker = { id: number; vectors: Float32Array[] } | { id: number; error: string }

export function openMeaning({
  idleMs = IDLE_MS,
  script = new URL('meaningWorker.server.ts', import.meta.url),
}: { idleMs?: number; script?: URL } = {}): Meaning {
  const kept = new Map<string, Vector>()
  const pending = new Map<number, Pending>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let nextId = 0
  let restUntil = 0

  function rest() {
    clearTimeout(idle)
    idle = setTimeout(() => (pending.size > 0 ? rest() : void end()), idleMs).unref()
  }
  async function end() {
    clearTimeout(idle)
    const leaving = worker
    worker = null
    for (const { resolve } of pending.values()) resolve(null)
    pending.clear()
    await leaving?.terminate()
  }
  function fail(error: unknown) {
    log.warn('the model of meanings stopped', { error })
    restUntil = Date.now() + REST_MS
    void end()
  }
  function wake(): Worker {
    if (worker) return worker
    const started = new Worker(script)
    started.unref()
    started.on('message', (message: FromWorker) => {
      const one = pending.get(message.id)
      if (!one) return
      pending.delete(message.id)
      if ('error' in message) return one.resolve(null)
      const vectors = message.vectors.map(tuneTo)
      one.texts.forEach((text, i) => keep(text, vectors[i]!))
      one.resolve(vectors)
    })
    started.on('error', (error) => worker === started && fail(error))
    started.on('exit', () => worker === started && fail(new Error('the thread ended')))
    worker = started
    return started
  }
  function keep(text: string, vector: Vector) {
    const oldest = kept.size >= MOST_KEPT ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(text, vector)
  }
  function ask(texts: string[]): Promise<Vector[] | null> {
    if (Date.now() < restUntil) return Promise.resolve(null)
    const id = nextId++
    return new Promise((resolve) => {
      pending.set(id, { resolve, texts })
      wake().postMessage({ id, texts })
    })
  }

  /** Long lists go in parts, so that a question of a customer waits for one part only. */
  async function askInParts(texts: string[]): Promise<Vector[] | null> {
    const found: Vector[] = []
    for (let i = 0; i < texts.length; i += PART) {
      const part = await ask(texts.slice(i, i + PART))
      if (!part) return null
      found.push(...part)
    }
    return found
  }

  return {
    of: async (given, patienceMs = Infinity) => {
      const texts = given.map((text) => text.slice(0, MOST_LENGTH).toWellFormed())
      const missing = [...new Set(texts.filter((text) => !kept.has(text)))]
      rest()
      const known = new Map(texts.flatMap((text) => (kept.has(text) ? [[text, kept.get(text)!] as const] : [])))
      if (missing.length > 0) {
        const answer = askInParts(missing)
        const late = new Promise<null>((resolve) => {
          if (Number.isFinite(patienceMs)) setTimeout(resolve, patienceMs, null).unref()
        })
        const found = await Promise.race([answer, late])
        if (!found) return null
        missing.forEach((text, i) => known.set(text, found[i]!))
      }
      return texts.map((text) => known.get(text)!)
    },
    isAwake: () => worker !== null,
    stop: end,
  }
}

/** Without a model: everything compares words only. */
export const NO_MEANING: Meaning = {
  of: () => Promise.resolve(null),
  isAwake: () => false,
  stop: () => Promise.resolve(),
}
