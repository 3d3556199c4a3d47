// Made by `npm run tables` from orderFile.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('orderFile.sql', import.meta.url))

export type ReadFileInput = { id: string }
export type ReadFileRow = {
  creditCents: number
  erasedAt: Date | null
  json: Omit<import('./adminOrders.contract.ts').OrderFile, 'areMailsSent' | 'offer'>
}
// An order with all its records.
export const readFile = find<ReadFileInput, ReadFileRow>('readFile')
