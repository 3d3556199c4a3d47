// Made by `npm run tables` from purchases.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('purchases.sql', import.meta.url))

export type ReadOrdersInput = {
  userId: string
  status: string | null
  id: string | null
  after: string | null
  limit: number
}
export type ReadOrdersRow = { json: string; next: string | null; total: number }
// Returns one order if `id` is set, otherwise the page after the order `after`. `next` is the cursor of the next page.
// The list omits unpaid failed orders after a day. The total never counts them.
export const readOrders = find<ReadOrdersInput, ReadOrdersRow>('readOrders')

export type ReadSumsInput = { userId: string }
export type ReadSumsRow = { json: string }
export const readSums = find<ReadSumsInput, ReadSumsRow>('readSums')
