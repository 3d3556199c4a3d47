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
// Finds the twelve nearest products by shared words. A rare word counts more than a common one, a title word twice. An
// unknown word matches titles with a similar spelling. A product is near if it shares two words, or one with its title.
// To limit the work, only 16 words and 1,500 products per word are read.
export const findNearest = find<FindNearestInput, FindNearestRow>('findNearest')

export type ReadCategoryNamesInput = Record<string, never>
export type ReadCategoryNamesRow = { name: string }
export const readCategoryNames = find<ReadCategoryNamesInput, ReadCategoryNamesRow>('readCategoryNames')
