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
  close: () => Promise<void>
}

export const UNCUT = new Failure(
  409,
  'We can’t cut a sample from this file: it is too short, too large, protected or of another type. Upload one instead.',
  'uncut',
)
const OWN_BUSY = new Failure(429, 'Your other sample is still being cut. Please try again in a moment.', 'busy', {
  retryAfter: 5,
})

export function openCutter(storage: Pick<Storage, 'open'>, { readMs = MAX_READ_MS } = {}): Cutter {
  const threads = openThreads<CutInput, Cut | null>({
    ...{ script: new URL('cutWorker.server.ts', import.meta.url), limitMs: MAX_MS, mostWaiting: MAX_WAITING },
    bufferMb: MAX_BUFFER_MB,
    buffersOf: ({ head }) => [head.buffer],
  })
  const underWay = new Set<string>()

  return {
    cut: async ({ objectId, contentType, sizeBytes }, account) => {
      const length = bytesToRead({ contentType, sizeBytes })
      if (length === null) throw UNCUT
      if (underWay.has(account)) throw OWN_BUSY
      underWay.add(account)
      try {
        const load = async () => ({ head: await readStart(storage, objectId, length, readMs), sizeBytes, contentType })
        const cut = await threads.runLoaded(load, account)
        if (!cut) throw UNCUT
        return cut
      } catch (error) {
        throw error instanceof ThreadLimit ? UNCUT : error
      } finally {
        underWay.delete(account)
      }
    },
    close: () => threads.close(),
  }
}
