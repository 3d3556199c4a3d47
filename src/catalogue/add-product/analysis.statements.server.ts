// Made by `npm run tables` from analysis.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('analysis.sql', import.meta.url))

export type FindNearestInput = { description: string }
export type FindNearestRow = {
  category: string
  median: number
  lowest: number
  highest: number
  products: number
  nearest: import('./nearest.rules.ts').Near['nearest']
}
// The twelve nearest products. They share words with the description: a rare word weighs more than a common one, and a
// word in the title twice as much. An unknown word matches titles with a similar spelling. A product counts as near when
// it shares two words, or one with its title. The work is bounded: 16 words, and 1,500 products for each.
export const findNearest = find<FindNearestInput, FindNearestRow>('findNearest')

export type ReadCategoryNamesInput = Record<string, never>
export type ReadCategoryNamesRow = { name: string }
export const readCategoryNames = find<ReadCategoryNamesInput, ReadCategoryNamesRow>('readCategoryNames')
