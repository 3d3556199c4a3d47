// Made by `npm run tables` from model.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('model.sql', import.meta.url))

export type ReadAskerInput = { userId: string }
export type ReadAskerRow = { firstName: string | null; lastName: string | null }
// The member's names. The shop removes them from texts for the language model.
export const readAsker = find<ReadAskerInput, ReadAskerRow>('readAsker')

export type AddCostInput = { usedFor: string; microdollars: number }
export type AddCostRow = Record<string, never>
export const addCost = find<AddCostInput, AddCostRow>('addCost')
