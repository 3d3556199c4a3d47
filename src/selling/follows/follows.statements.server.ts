// Made by `npm run tables` from follows.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('follows.sql', import.meta.url))

export type ListFollowedInput = { userId: string }
export type ListFollowedRow = { json: string }
// The followed sellers, newest first. `handle` is null for a seller without a page.
export const listFollowed = find<ListFollowedInput, ListFollowedRow>('listFollowed')

export type ReadSellerNameInput = { sellerId: string }
export type ReadSellerNameRow = { name: string }
export const readSellerName = find<ReadSellerNameInput, ReadSellerNameRow>('readSellerName')

export type AddFollowInput = { sellerId: string; userId: string; source: string; maxFollowed: number }
export type AddFollowRow = { hasPage: boolean; canFollow: boolean; isFollowed: boolean; isMailed: boolean }
// `is_mailed`: the member receives mails about followed sellers.
export const addFollow = find<AddFollowInput, AddFollowRow>('addFollow')

export type ListNewProductsInput = { days: number; userId: string; limit: number }
export type ListNewProductsRow = { json: string }
// Sellers with new products, newest first. `product` is the newest product of the seller. Counts to 1,000.
export const listNewProducts = find<ListNewProductsInput, ListNewProductsRow>('listNewProducts')

export type DismissNewProductsInput = { until: Date | string; userId: string; sellerId: string }
export type DismissNewProductsRow = Record<string, never>
// Hides the new products of a seller up to the shown moment, which has milliseconds only.
export const dismissNewProducts = find<DismissNewProductsInput, DismissNewProductsRow>('dismissNewProducts')

export type ClaimNewProductsInput = { days: number; limit: number; maxTitles: number }
export type ClaimNewProductsRow = {
  userId: string
  sellerId: string
  day: string
  seller: string
  handle: string
  count: number
  productId: string
  titles: string[]
  wantsFollows: boolean
  email: string | null
}
// Claims the sellers with new products of each follower who was not notified today, least recently announced first. Announces
// the products of earlier days, in UTC. Leaves out products that are not for sale at this moment: sold out, withdrawn or taken
// down. Two nodes never claim the same products for a follower.
export const claimNewProducts = find<ClaimNewProductsInput, ClaimNewProductsRow>('claimNewProducts')
