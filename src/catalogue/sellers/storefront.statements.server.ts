// Made by `npm run tables` from storefront.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('storefront.sql', import.meta.url))

export type ReadSellerInput = { handle: string }
export type ReadSellerRow = { json: string }
export const readSeller = find<ReadSellerInput, ReadSellerRow>('readSeller')

export type ReadOwnPageInput = { userId: string }
export type ReadOwnPageRow = { json: string }
// The page as its seller edits it.
export const readOwnPage = find<ReadOwnPageInput, ReadOwnPageRow>('readOwnPage')
