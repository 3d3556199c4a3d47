// Made by `npm run tables` from bundle.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('bundle.sql', import.meta.url))

export type CountPartsInput = { id: string }
export type CountPartsRow = { count: number }
export const countParts = find<CountPartsInput, CountPartsRow>('countParts')
