// Made by `npm run tables` from items.sql. Do not edit.
import { readStatements } from '../../../kit/sql/statements.server.ts'

const find = readStatements(new URL('items.sql', import.meta.url))

export type ReadSomeInput = { ids: string[] }
export type ReadSomeRow = {
  id: string
  title: string
  brief: string
  categoryId: string
  category: string
  cents: number
  rated: number
  age: number
  buyers: number
}
export const readSome = find<ReadSomeInput, ReadSomeRow>('readSome')

export type ReadMostBoughtInput = { most: number }
export type ReadMostBoughtRow = {
  id: string
  title: string
  brief: string
  categoryId: string
  category: string
  cents: number
  rated: number
  age: number
  buyers: number
}
// The products with the most buyers first.
export const readMostBought = find<ReadMostBoughtInput, ReadMostBoughtRow>('readMostBought')

export type ReadCategoriesInput = Record<string, never>
export type ReadCategoriesRow = { id: string; name: string }
export const readCategories = find<ReadCategoriesInput, ReadCategoriesRow>('readCategories')

export type ReadFactsInput = { ids: string[] }
export type ReadFactsRow = {
  id: string
  title: string
  cents: number
  suggested: number | null
  least: number
  categoryId: string
  category: string
  brief: string
  seller: string
  stars: string | null
  reviews: number
  samples: number
  delivery: 'file' | 'code' | 'license' | 'course' | 'bundle'
  hasVariants: boolean
  isFrom: boolean
  isSupplied: boolean
  left: number | null
}
// Product facts for answers. `left` counts the codes in stock.
export const readFacts = find<ReadFactsInput, ReadFactsRow>('readFacts')
