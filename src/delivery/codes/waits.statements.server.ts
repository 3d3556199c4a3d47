// Made by `npm run tables` from waits.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('waits.sql', import.meta.url))

export type ReadWantedInput = { userId: string; productId: string }
export type ReadWantedRow = { isSoldOut: boolean; isOnSale: boolean; hasVariants: boolean; waits: number }
export const readWanted = find<ReadWantedInput, ReadWantedRow>('readWanted')

export type FindRestockedBundlesInput = Record<string, never>
export type FindRestockedBundlesRow = { id: string }
export const findRestockedBundles = find<FindRestockedBundlesInput, FindRestockedBundlesRow>('findRestockedBundles')

export type TakeWaitsInput = { productId: string; limit: number }
export type TakeWaitsRow = { userId: string; at: string; title: string; email: string | null }
export const takeWaits = find<TakeWaitsInput, TakeWaitsRow>('takeWaits')
