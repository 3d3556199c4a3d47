// Made by `npm run tables` from ownProducts.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('ownProducts.sql', import.meta.url))

export type ListNewestInput = { sellerId: string; afterId: string | null; key: number | null; limit: number }
export type ListNewestRow = { json: string; next: string | null; total: number }
// Lists a seller's products in the order of an index. An index-only scan counts them.
export const listNewest = find<ListNewestInput, ListNewestRow>('listNewest')

export type ListBySalesInput = { sellerId: string; afterId: string | null; key: number | null; limit: number }
export type ListBySalesRow = { json: string; next: string | null; total: number }
export const listBySales = find<ListBySalesInput, ListBySalesRow>('listBySales')

export type ListByViewsInput = { sellerId: string; afterId: string | null; key: number | null; limit: number }
export type ListByViewsRow = { json: string; next: string | null; total: number }
export const listByViews = find<ListByViewsInput, ListByViewsRow>('listByViews')

export type ListByPriceInput = { sellerId: string; afterId: string | null; key: number | null; limit: number }
export type ListByPriceRow = { json: string; next: string | null; total: number }
export const listByPrice = find<ListByPriceInput, ListByPriceRow>('listByPrice')

export type ListByTitleInput = { sellerId: string; afterId: string | null; key: string | null; limit: number }
export type ListByTitleRow = { json: string; next: string | null; total: number }
export const listByTitle = find<ListByTitleInput, ListByTitleRow>('listByTitle')

export type ListSomeInput = {
  sort: string
  sellerId: string
  status: string | null
  q: string
  afterId: string | null
  label: string | null
  amount: number | null
  limit: number
}
export type ListSomeRow = { json: string; next: string | null; total: number }
// Lists a seller's products by search or status, or in an order without an index. By stock, unlimited ones come last.
export const listSome = find<ListSomeInput, ListSomeRow>('listSome')

export type ReadOwnProductInput = { id: string; sellerId: string }
export type ReadOwnProductRow = { json: string }
export const readOwnProduct = find<ReadOwnProductInput, ReadOwnProductRow>('readOwnProduct')

export type ReadPartsInput = { sellerId: string }
export type ReadPartsRow = { json: string }
// Products that can be a part of a bundle.
export const readParts = find<ReadPartsInput, ReadPartsRow>('readParts')
