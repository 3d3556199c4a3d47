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

export type AddFollowInput = { sellerId: string; userId: string; source: string; most: number }
export type AddFollowRow = { hasPage: boolean; canFollow: boolean; isFollowed: boolean; isMailed: boolean }
// `is_mailed`: the member receives mails about followed sellers.
export const addFollow = find<AddFollowInput, AddFollowRow>('addFollow')

export type ListNewsInput = { days: number; userId: string; limit: number }
export type ListNewsRow = { json: string }
// Sellers with new products, newest first. `product` is the newest product of the seller.
export const listNews = find<ListNewsInput, ListNewsRow>('listNews')

export type DismissNewsInput = { until: Date | string; userId: string; sellerId: string }
export type DismissNewsRow = Record<string, never>
// Hides the news of a seller up to the shown moment, which has milliseconds only.
export const dismissNews = find<DismissNewsInput, DismissNewsRow>('dismissNews')

export type ClaimNewsInput = { days: number; limit: number; most: number }
export type ClaimNewsRow = {
  userId: string
  sellerId: string
  day: string
  seller: string
  handle: string
  count: number
  productId: string
  titles: string[]
  email: string | null
}
// Claims one seller for each follower who was not told today: the seller with the product that waits longest. Two nodes
// never claim the same products for a follower. A product waits an hour, so that its seller can take it back.
export const claimNews = find<ClaimNewsInput, ClaimNewsRow>('claimNews')
