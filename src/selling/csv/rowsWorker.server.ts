import { serveThread } from '../../kit/threads/serveThread.server.ts'
import type { ReadRows, RowsOrder } from './readRows.server.ts'
import { openRows } from './rows.rules.ts'

serveThread(async ({ header, terms, records }: RowsOrder): Promise<ReadRows> => {
  const reader = openRows(header, terms)
  if (!reader) throw new Error('the header was read before')
  const rows = records.map((record) => reader.read(record, record.number))
  return { rows: rows.filter((row) => row !== null), shared: reader.shared }
})
