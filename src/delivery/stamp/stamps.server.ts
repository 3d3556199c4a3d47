import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as after } from 'node:timers/promises'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import { openThreads, ThreadLimit } from '../../kit/threads/threads.server.ts'
import { asFailure } from '../../uploads/disk/write.server.ts'
import type { SentFile } from '../../uploads/sendFile.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { canStamp, stampOf } from './stamp.rules.ts'

// Copies of PDFs with the buyer's mail address on each page. The first download makes a copy, and this node stores it
// for a day after the last download. One thread makes buyers' copies, another makes trial stamps of sellers' PDFs.

const KEPT_MS = 24 * 3_600_000
const MAX_KEPT_BYTES = 2 * 1024 ** 3
const SWEEP_MS = 3_600_000
const MAX_MS = 60_000
/** Timeout of a trial stamp. A PDF that takes longer counts as one that cannot be stamped. */
const MAX_TRY_MS = 10_000
/** Timeout of a buyer's request; the copy is still finished. Clients time out after 30 seconds. */
const MAX_WAIT_MS = 20_000
const MAX_WAITING = 20
const MAX_OF_BUYER = 5
const MAX_TRIES = 3
const MAX_REFUSED = 1_000
/** The PDF is tried again after this time, because a busy machine may be the cause. */
const REFUSED_MS = 3_600_000
/** Increase it when the stamp looks different. */
const EDITION = 1

export type StampOrder = { from: string; to: string; text: string }
export type Stamped = { isDone: true } | { isDone: false; reason: string }

export type Stamps = {
  /**
   * Returns the buyer's copy and its store, or the unstamped file if it cannot be stamped, because the buyer paid.
   * Throws a Failure 503 if too many copies wait or this one is slow, and 429 if too many of the buyer wait.
   */
  of: (file: SentFile, email: string) => Promise<{ file: SentFile; from: Pick<Storage, 'open' | 'direct'> }>
  /**
   * Makes a trial stamp. Returns false for a PDF that is protected, damaged or too large. Throws a Failure 503 if too
   * many trials run, and a Failure 429 if a trial of the same account runs.
   */
  canStamp: (file: SentFile, account: string) => Promise<boolean>
  close: () => Promise<void>
}

const UNREAD = new Failure(503, 'The file can’t be read at the moment. Please try again in a moment.', 'unavailable', {
  retryAfter: 5,
})
const LATE = new Failure(503, 'Your copy is being made. Please try again in a moment.', 'busy', { retryAfter: 10 })
const OWN_BUSY = new Failure(429, 'Another PDF of yours is being checked. Please try again in a moment.', 'busy', {
  retryAfter: 5,
})
const OWN_COPIES = new Failure(429, 'Your other copies are still being made. Please try again in a moment.', 'busy', {
  retryAfter: 5,
})
const BUSY = new Failure(503, 'Many copies are being made. Please try again in a moment.', 'busy', { retryAfter: 5 })

type Opened = {
  folder: string
  storage: Pick<Storage, 'open' | 'direct'>
  readMs?: number
  tryMs?: number
  waitMs?: number
}
type Threads = ReturnType<typeof openThreads<StampOrder, Stamped>>

export function openStamps({
  folder,
  storage,
  readMs = MAX_MS,
  tryMs = MAX_TRY_MS,
  waitMs = MAX_WAIT_MS,
}: Opened): Stamps {
  const script = new URL('stampWorker.server.ts', import.meta.url)
  const forBuyers = openThreads<StampOrder, Stamped>({ script, limitMs: MAX_MS, mostWaiting: MAX_WAITING })
  const forTries = openThreads<StampOrder, Stamped>({ script, limitMs: tryMs, mostWaiting: MAX_TRIES })
  const underWay = new Map<string, { email: string; made: Promise<boolean> }>()
  const refused = new Map<string, number>()
  const isRefused = (sha256: string) => Date.now() - (refused.get(sha256) ?? 0) < REFUSED_MS
  const pathOf = (name: string) => join(folder, name)
  const timer = setInterval(() => void sweep(), SWEEP_MS).unref()
  const trying = new Set<string>()

  /** Returns true once the copy exists. Concurrent requests for one copy share the work. */
  function make(file: SentFile, email: string, name: string): Promise<boolean> {
    const present = underWay.get(name)
    if (present) return present.made
    if (underWay.size >= MAX_WAITING) throw BUSY
    if ([...underWay.values()].filter((other) => other.email === email).length >= MAX_OF_BUYER) throw OWN_COPIES
    const made = stampOne(forBuyers, file, { account: email, email, name })
    underWay.set(name, { email, made })
    return made.finally(() => underWay.delete(name))
  }

  async function stampOne(
    threads: Threads,
    { key, sha256 }: SentFile,
    { account, email, name }: { account: string; email: string; name: string },
  ): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = pathOf(`${randomUUID()}.draft`)
    const source = `${draft}.pdf`
    try {
      await read(key, source)
      const order = { from: source, to: draft, text: stampOf(email) }
      const answer = await threads.run(order, account).catch((error: unknown) => {
        if (error instanceof ThreadLimit)
          return { isDone: false as const, reason: `it exceeds the ${error.limit} limit` }
        throw asFailure(error)
      })
      if (answer.isDone) await rename(draft, pathOf(name))
      else {
        log.warn('a PDF could not be stamped', { object: key, reason: answer.reason })
        if (refused.size >= MAX_REFUSED) refused.clear()
        refused.set(sha256, Date.now())
      }
      return answer.isDone
    } finally {
      for (const path of [source, draft]) await rm(path, { force: true })
    }
  }

  async function read(key: string, path: string) {
    const signal = AbortSignal.timeout(readMs)
    const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(UNREAD)))
    const reading = storage.open(key).then(({ stream }) => {
      if (!signal.aborted) return pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal })
      stream.destroy()
    })
    await Promise.race([reading, late])
  }

  /** Deletes copies not fetched for a day, and then the oldest until the rest fits. */
  async function sweep() {
    const found: { path: string; size: number; usedAt: number }[] = []
    for (const name of await readdir(folder).catch(() => []))
      await stat(pathOf(name)).then(
        ({ size, mtimeMs }) => found.push({ path: pathOf(name), size, usedAt: mtimeMs }),
        () => undefined,
      )
    let kept = 0
    for (const { path, size, usedAt } of found.sort((a, b) => b.usedAt - a.usedAt)) {
      kept += size
      if (kept > MAX_KEPT_BYTES || Date.now() - usedAt > KEPT_MS) await rm(path, { force: true })
    }
  }

  async function inTime(work: Promise<boolean>): Promise<boolean> {
    const answered = new AbortController()
    const late = after(waitMs, null, { signal: answered.signal, ref: false }).catch(() => null)
    try {
      const made = await Promise.race([work, late])
      if (made === null) throw LATE
      return made
    } finally {
      answered.abort()
    }
  }

  async function find(name: string): Promise<{ sizeBytes: number } | null> {
    const found = await stat(pathOf(name)).catch(() => null)
    if (!found) return null
    await utimes(pathOf(name), new Date(), new Date())
    return { sizeBytes: found.size }
  }

  return {
    of: async (file, email) => {
      const original = { file, from: storage }
      if (!canStamp(file) || isRefused(file.sha256)) return original
      const name = createHash('sha256').update(`${EDITION}\n${file.sha256}\n${email}`).digest('hex')
      const copy = (await find(name)) ?? ((await inTime(make(file, email, name))) ? await find(name) : null)
      if (!copy) return original
      const open: Storage['open'] = async (_, range) => ({
        stream: createReadStream(pathOf(name), range),
        sizeBytes: copy.sizeBytes,
      })
      return { file: { ...file, key: name, sizeBytes: copy.sizeBytes, sha256: name }, from: { open } }
    },
    canStamp: async (file, account) => {
      if (!canStamp(file) || isRefused(file.sha256)) return false
      if (trying.has(account)) throw OWN_BUSY
      if (trying.size >= MAX_TRIES) throw BUSY
      const name = `${randomUUID()}.try`
      trying.add(account)
      try {
        return await stampOne(forTries, file, { account, email: 'you@example.com', name })
      } finally {
        trying.delete(account)
        await rm(pathOf(name), { force: true })
      }
    },
    close: async () => {
      clearInterval(timer)
      await Promise.all([forBuyers.close(), forTries.close()])
    },
  }
}
