import { Worker } from 'node:worker_threads'
import { log } from '../log/log.server.ts'
import { tuneTo, type Vector } from './vector.rules.ts'
import { firstOf, required } from '../values/required.ts'

// Computes embeddings of sentences: sentences of similar meaning have similar vectors. The model is a package and runs
// in a worker thread, which starts with the first sentence and stops when idle.

/** The thread stops after this time without a text, to free its memory. */
const IDLE_MS = 180_000
const MAX_KEPT = 4_000
const MAX_LENGTH = 400
/** Batch size: eight texts together take half the time of eight single texts. */
const AT_ONCE = 8
/** Batch size of background texts: smaller, because a question waits for the running batch. */
const AT_ONCE_BEHIND = 4
/** Pause after a failure of the thread, before the next start. */
const REST_MS = 60_000

export type Meaning = {
  /** Returns a vector for each text, or null after `patienceMs` or a failure. Texts with a timeout have priority. */
  of: (texts: string[], patienceMs?: number) => Promise<Vector[] | null>
  isAwake: () => boolean
  stop: () => Promise<void>
}

type MeaningRequest = { text: string; resolve: (vector: Vector | null) => void }
export type FromWorker = { vectors: Float32Array[] } | { error: string }

export function openMeaning({
  idleMs = IDLE_MS,
  script = new URL('meaningWorker.server.ts', import.meta.url),
  isLast = true,
}: {
  idleMs?: number
  script?: URL
  /** True runs the thread at the lowest priority of the machine. */
  isLast?: boolean
} = {}): Meaning {
  const kept = new Map<string, Vector>()
  const urgent: MeaningRequest[] = []
  const behind: MeaningRequest[] = []
  let atWork: MeaningRequest[] = []
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let restUntil = 0

  function rest() {
    clearTimeout(idle)
    idle = setTimeout(() => (atWork.length > 0 ? rest() : void end()), idleMs).unref()
  }
  async function end() {
    clearTimeout(idle)
    const leaving = worker
    worker = null
    for (const { resolve } of [...atWork, ...urgent.splice(0), ...behind.splice(0)]) resolve(null)
    atWork = []
    await leaving?.terminate()
  }
  function fail(error: unknown) {
    log.warn('the model of meanings stopped', { error })
    restUntil = Date.now() + REST_MS
    void end()
  }
  function wake(): Worker {
    if (worker) return worker
    const started = new Worker(script, { workerData: { isLast } })
    started.unref()
    started.on('message', (message: FromWorker) => {
      if (worker !== started) return
      const part = atWork
      atWork = []
      part.forEach(({ text, resolve }, i) => {
        const found = 'vectors' in message ? message.vectors[i] : undefined
        resolve(found ? keep(text, tuneTo(found)) : null)
      })
      next()
    })
    started.on('error', (error) => worker === started && fail(error))
    started.on('exit', () => worker === started && fail(new Error('the thread ended')))
    worker = started
    return started
  }
  function next() {
    if (atWork.length > 0) return
    // another request may have computed the same text meanwhile
    for (const queue of [urgent, behind])
      while (queue[0] && kept.has(queue[0].text)) {
        const { text, resolve } = required(queue.shift(), 'the next text')
        resolve(required(kept.get(text), 'a vector'))
      }
    atWork = urgent.length > 0 ? urgent.splice(0, AT_ONCE) : behind.splice(0, AT_ONCE_BEHIND)
    if (atWork.length > 0) wake().postMessage({ texts: atWork.map(({ text }) => text) })
  }
  function keep(text: string, vector: Vector): Vector {
    const oldest = kept.size >= MAX_KEPT ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(text, vector)
    return vector
  }
  function ask(text: string, queue: MeaningRequest[]) {
    const { promise, resolve } = Promise.withResolvers<Vector | null>()
    const wanted: MeaningRequest = { text, resolve }
    if (Date.now() < restUntil) resolve(null)
    else queue.push(wanted)
    return { wanted, promise }
  }
  /** Removes timed-out requests from the queue. Compares requests, because another request may have the same text. */
  const giveUp = (mine: MeaningRequest[]) => {
    for (const wanted of mine) {
      const at = urgent.indexOf(wanted)
      if (at >= 0) firstOf(urgent.splice(at, 1)).resolve(null)
    }
  }

  return {
    of: async (given, patienceMs = Infinity) => {
      const texts = given.map((text) => text.slice(0, MAX_LENGTH).toWellFormed())
      const known = new Map(
        texts.flatMap((text) => (kept.has(text) ? [[text, required(kept.get(text), 'a vector')] as const] : [])),
      )
      const missing = [...new Set(texts.filter((text) => !known.has(text)))]
      rest()
      if (missing.length > 0) {
        const isUrgent = Number.isFinite(patienceMs)
        const asked = missing.map((text) => ask(text, isUrgent ? urgent : behind))
        const answer = Promise.all(asked.map(({ promise }) => promise))
        next()
        let late: NodeJS.Timeout | undefined
        const found = await Promise.race([
          answer,
          new Promise<null>((resolve) => {
            if (isUrgent) late = setTimeout(resolve, patienceMs, null).unref()
          }),
        ])
        clearTimeout(late)
        if (isUrgent && !found) giveUp(asked.map(({ wanted }) => wanted))
        for (const [i, text] of missing.entries()) {
          const vector = found?.[i]
          if (!vector) return null
          known.set(text, vector)
        }
      }
      return texts.map((text) => required(known.get(text), 'a vector'))
    },
    isAwake: () => worker !== null,
    stop: end,
  }
}

/** For a shop without a model, which compares words only. */
export const NO_MEANING: Meaning = {
  of: () => Promise.resolve(null),
  isAwake: () => false,
  stop: () => Promise.resolve(),
}
