// Made by `npm run tables` from category.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('category.sql', import.meta.url))

export type ArrangeCategoriesInput = { ids: string[] }
export type ArrangeCategoriesRow = Record<string, never>
export const arrangeCategories = find<ArrangeCategoriesInput, ArrangeCategoriesRow>('arrangeCategories')
