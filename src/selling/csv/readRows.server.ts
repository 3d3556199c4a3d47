import { Failure } from '../../kit/failure.ts'
import { openThreads, ThreadLimit } from '../../kit/threads/threads.server.ts'
import type { CsvRecord } from './csvRecord.rules.ts'
import type { Row, RowTerms, Shared } from './rows.rules.ts'

// Reads the rows of a file in a worker thread, so that no cell blocks the requests of the node.

export type RowRecord = CsvRecord & { number: number }
export type RowsOrder = { header: string[]; terms: RowTerms & { shared: Shared }; records: RowRecord[] }
export type ReadRows = { rows: Row[]; shared: Shared }

const threads = openThreads<RowsOrder, ReadRows>({
  script: new URL('rowsWorker.server.ts', import.meta.url),
  limitMs: 15_000,
  memoryMb: 256,
  mostWaiting: 30,
})

/** Reads a batch of rows of an account. Throws a Failure 400 if they need too much time or memory. */
export async function readRows(order: RowsOrder, account: string): Promise<ReadRows> {
  try {
    return await threads.run(order, account)
  } catch (error) {
    if (!(error instanceof ThreadLimit)) throw error
    const [first, last] = [order.records[0]?.number, order.records.at(-1)?.number]
    throw new Failure(400, `Rows ${first} to ${last} take too long to read. Shorten their descriptions.`, 'unreadable')
  }
}
