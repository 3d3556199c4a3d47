import { Failure } from '../../../kit/failure.ts'
import { openThreads } from '../../../kit/threads/threads.server.ts'
import type { Storage } from '../../../uploads/storage.server.ts'
import type { Cut } from './cut.rules.ts'
import { bytesToRead, type CutInput } from './cutStart.server.ts'

const MAX_MS = 20_000
const MAX_WAITING = 8

export type CutFile = { objectId: string; contentType: string; sizeBytes: number }
export type Cutter = {
  /**
   * Cuts a sample from the start of a seller's file. Throws a Failure: 409 `uncut` if the file cannot be cut, 429 or 503 if too
   * many files wait.
   */
  cut: (file: CutFile, account: string) => Promise<Cut>
  close: () => Promise<void>
}

const UNCUT = new Failure(
  409,
  'We can’t cut a sample from this file: it is too short, too large, protected or of another type. Upload one instead.',
  'uncut',
)

export function openCutter(storage: Pick<Storage, 'open'>): Cutter {
  const threads = openThreads<CutInput, Cut | null>({
    ...{ script: new URL('cutWorker.server.ts', import.meta.url), limitMs: MAX_MS, mostWaiting: MAX_WAITING },
  })
  return {
    cut: async ({ objectId, contentType, sizeBytes }, account) => {
      const length = bytesToRead({ contentType, sizeBytes })
      if (length === null) throw UNCUT
      const { stream } = await storage.open(objectId, { start: 0, end: length - 1 })
      const head = Buffer.concat(await stream.toArray())
      const cut = await threads.run({ head, sizeBytes, contentType }, account)
      if (!cut) throw UNCUT
      return cut
    },
    close: () => threads.close(),
  }
}
