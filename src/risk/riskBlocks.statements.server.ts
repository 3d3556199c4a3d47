// Made by `npm run tables` from riskBlocks.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('riskBlocks.sql', import.meta.url))

export type ReadBlockEndInput = { userId: string; network: string | null }
export type ReadBlockEndRow = { until: Date | null }
// The end of the longest active block of an account or its network.
export const readBlockEnd = find<ReadBlockEndInput, ReadBlockEndRow>('readBlockEnd')

export type CountDeclinesInput = { userId: string }
export type CountDeclinesRow = { tries: number; instruments: number }
export const countDeclines = find<CountDeclinesInput, CountDeclinesRow>('countDeclines')

export type ListBlocksInput = Record<string, never>
export type ListBlocksRow = {
  id: string
  kind: 'account' | 'network'
  reason: string
  createdAt: Date
  expiresAt: Date
  madeBy: string | null
  subject: string | null
}
export const listBlocks = find<ListBlocksInput, ListBlocksRow>('listBlocks')
