// Made by `npm run tables` from reportCases.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('reportCases.sql', import.meta.url))

export type ReadPageInput = {
  isWaiting: boolean
  takenBy: string | null
  id: string | null
  isFirst: boolean | null
  at: number | null
  limit: number
}
export type ReadPageRow = { json: string; total: number; next: string | null }
// `takenBy` limits the page to one person's cases. Open cases that the seller answered come first. `isFirst`, `at` and `id` are the
// keys of the last case of the previous page.
export const readPage = find<ReadPageInput, ReadPageRow>('readPage')

export type ReadCaseFileInput = { readerId: string; id: string }
export type ReadCaseFileRow = { json: string }
export const readCaseFile = find<ReadCaseFileInput, ReadCaseFileRow>('readCaseFile')
