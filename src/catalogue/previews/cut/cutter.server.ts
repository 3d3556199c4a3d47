import { Failure } from '../../../kit/failure.ts'
import { openThreads, ThreadLimit } from '../../../kit/threads/threads.server.ts'
import { readStart, type Storage } from '../../../uploads/storage.server.ts'
import { bytesToRead, type Cut } from './cut.rules.ts'
import type { CutInput } from './cutStart.server.ts'

const MAX_MS = 20_000
const MAX_READ_MS = 30_000
const MAX_WAITING = 8
/** Five times the largest file, because a cut copies parts of it. */
const MAX_BUFFER_MB = 256

export type CutFile = { objectId: string; contentType: string; sizeBytes: number }
export type Cutter = {
  /**
   * Cuts a sample from the start of a seller's file, one file of an account at a time. Reads a file when its turn comes. Throws a
   * Failure: 409 `uncut` if the file cannot be cut, 429 during another cut of the account, 503 if too many files wait.
   */
  cut: (file: CutFile, account: string) => Promise<Cut>
  /** Counts the pages of a PDF. Null if it is protected, damaged or too large. Throws a Failure 429 or 503 if too many files wait. */
  countPages: (file: Omit<CutFile, 'contentType'>, account: string) => Promise<number | null>
  close: () => Promise<void>
}

export type CutTask = CutInput & { isCounted: boolean }
export type CutAnswer = { cut: Cut | null; pages: number | null }

export const UNCUT = new Failure(
  409,
  'We can’t cut a sample from this file: it is too short, too large, protected or of another type. Upload one instead.',
  'uncut',
)
const OWN_BUSY = new Failure(429, 'Your other sample is still being cut. Please try again in a moment.', 'busy', {
  retryAfter: 5,
})

export function openCutter(storage: Pick<Storage, 'open'>, { readMs = MAX_READ_MS } = {}): Cutter {
  const threads = openThreads<CutTask, CutAnswer>({
    ...{ script: new URL('cutWorker.server.ts', import.meta.url), limitMs: MAX_MS, mostWaiting: MAX_WAITING },
    bufferMb: MAX_BUFFER_MB,
    buffersOf: ({ head }) => [head.buffer],
  })
  const underWay = new Set<string>()

  const load = async ({ objectId, contentType, sizeBytes }: CutFile, length: number) => ({
    head: await readStart(storage, objectId, length, readMs),
    ...{ contentType, sizeBytes },
  })

  return {
    cut: async (file, account) => {
      const length = bytesToRead(file)
      if (length === null) throw UNCUT
      if (underWay.has(account)) throw OWN_BUSY
      underWay.add(account)
      try {
        const { cut } = await threads.runLoaded(
          async () => ({ isCounted: false, ...(await load(file, length)) }),
          account,
        )
        if (!cut) throw UNCUT
        return cut
      } catch (error) {
        throw error instanceof ThreadLimit ? UNCUT : error
      } finally {
        underWay.delete(account)
      }
    },
    countPages: async (given, account) => {
      const file = { ...given, contentType: 'application/pdf' }
      const length = bytesToRead(file)
      if (length === null) return null
      try {
        const task = async () => ({ isCounted: true, ...(await load(file, length)) })
        return (await threads.runLoaded(task, account)).pages
      } catch (error) {
        if (error instanceof ThreadLimit) return null
        throw error
      }
    },
    close: () => threads.close(),
  }
}
