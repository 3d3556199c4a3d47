// Made by `npm run tables` from product.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('product.sql', import.meta.url))

export type ReadCategoriesInput = { icons: unknown }
export type ReadCategoriesRow = { json: string }
export const readCategories = find<ReadCategoriesInput, ReadCategoriesRow>('readCategories')

export type ReadProductInput = {
  reasons: unknown
  defaultDevices: number
  viewerId: string | null
  id: string
  isAdmin: boolean
}
export type ReadProductRow = { json: string }
// A variant id returns the variant's product. `reasons` contains the sentence for each code of `product_standing`.
export const readProduct = find<ReadProductInput, ReadProductRow>('readProduct')

export type FindBuyableInput = { ids: string[] }
export type FindBuyableRow = {
  id: string
  title: string
  priceCents: number
  suggestedCents: number | null
  leastCents: number
  sellerId: string
  categoryId: string
  delivery: 'file' | 'code' | 'license' | 'course' | 'bundle'
  fileId: string | null
  moreFileIds: string[]
  isOnSale: boolean
  variantOf: string | null
  hasVariants: boolean
  isCash: boolean
}
// Omits deleted products. Locks the products until the transaction ends: bundles first, then by id.
export const findBuyable = find<FindBuyableInput, FindBuyableRow>('findBuyable')

export type CopyProductInput = { ending: string; id: string; sellerId: string }
export type CopyProductRow = { id: string }
// An image or file belongs to one product, so the draft has none.
export const copyProduct = find<CopyProductInput, CopyProductRow>('copyProduct')

export type ReadCategoryNameInput = { id: string }
export type ReadCategoryNameRow = { name: string }
export const readCategoryName = find<ReadCategoryNameInput, ReadCategoryNameRow>('readCategoryName')

export type CountListedInput = Record<string, never>
export type CountListedRow = { count: number }
export const countListed = find<CountListedInput, CountListedRow>('countListed')

export type ReadShowcaseInput = { count: number }
export type ReadShowcaseRow = {
  id: string
  title: string
  categoryId: string
  category: string
  priceCents: number
  hasChoice: boolean
  imageUrl: string | null
}
// The first product of each category on its list, then the second of each, and so on. Goods as good as money are last.
export const readShowcase = find<ReadShowcaseInput, ReadShowcaseRow>('readShowcase')

export type FindChangedBuyersInput = { productIds: string[]; buyers: number[] }
export type FindChangedBuyersRow = { productId: string; buyers: number }
export const findChangedBuyers = find<FindChangedBuyersInput, FindChangedBuyersRow>('findChangedBuyers')

export type SaveBuyersInput = { productIds: string[]; buyers: number[] }
export type SaveBuyersRow = Record<string, never>
export const saveBuyers = find<SaveBuyersInput, SaveBuyersRow>('saveBuyers')

export type ReadUseInput = { id: string }
export type ReadUseRow = {
  isSold: boolean
  isSoldBundle: boolean
  isBundled: boolean
  hasCodes: boolean
  hasCodeSource: boolean
  hasLesson: boolean
}
export const readUse = find<ReadUseInput, ReadUseRow>('readUse')

export type FindSoldVersionInput = { productId: string; fileId: string }
export type FindSoldVersionRow = { fileId: string }
export const findSoldVersion = find<FindSoldVersionInput, FindSoldVersionRow>('findSoldVersion')

export type IsSellerSuspendedInput = { sellerId: string }
export type IsSellerSuspendedRow = { isSuspended: boolean }
export const isSellerSuspended = find<IsSellerSuspendedInput, IsSellerSuspendedRow>('isSellerSuspended')

export type FindUnsettledSellersInput = { limit: number }
export type FindUnsettledSellersRow = { id: string }
export const findUnsettledSellers = find<FindUnsettledSellersInput, FindUnsettledSellersRow>('findUnsettledSellers')
