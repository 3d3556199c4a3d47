// Made by `npm run tables` from together.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('together.sql', import.meta.url))

export type CountRecentBuyersInput = { days: number }
export type CountRecentBuyersRow = { productId: string; buyers: number }
// Counts the buyers of a product with its variants in the last `days` days.
export const countRecentBuyers = find<CountRecentBuyersInput, CountRecentBuyersRow>('countRecentBuyers')

export type ReadPairsInput = { maxOrders: number; maxLines: number; minBuyers: number; kept: number }
export type ReadPairsRow = { productId: string; otherId: string; buyers: number }
// Reads the newest `maxOrders` orders. Skips orders with more than `maxLines` lines.
export const readPairs = find<ReadPairsInput, ReadPairsRow>('readPairs')

export type DeletePairsInput = { ids: string[] }
export type DeletePairsRow = Record<string, never>
export const deletePairs = find<DeletePairsInput, DeletePairsRow>('deletePairs')

export type InsertPairsInput = { pairs: string }
export type InsertPairsRow = Record<string, never>
// A product may have been deleted since the count.
export const insertPairs = find<InsertPairsInput, InsertPairsRow>('insertPairs')

export type DeleteOtherPairsInput = { ids: string[] }
export type DeleteOtherPairsRow = Record<string, never>
export const deleteOtherPairs = find<DeleteOtherPairsInput, DeleteOtherPairsRow>('deleteOtherPairs')

export type ReadTogetherInput = { id: string; limit: number }
export type ReadTogetherRow = { isListed: boolean; json: string }
export const readTogether = find<ReadTogetherInput, ReadTogetherRow>('readTogether')
