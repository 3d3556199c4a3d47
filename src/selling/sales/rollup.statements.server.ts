// Made by `npm run tables` from rollup.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('rollup.sql', import.meta.url))

export type TakeEventsInput = { limit: number }
export type TakeEventsRow = {
  id: number
  sellerId: string
  kind: 'sale' | 'refund' | 'review' | 'own'
  orderLineId: string
  orderId: string
  productId: string
  title: string
  quantity: number
  isCode: boolean
  day: string
  isRecent: boolean
  orders: number
  sales: number
  refunds: number
  grossCents: number
  feeCents: number
  returnedCents: number
  countedId: string
  bundleId: string | null
  told: number
}
// Deletes and returns the oldest events, and notifies the open pages of their sellers. For a variant, `counted_id` is
// its product. Only the first line of a bundle has `bundle_id`, so that an order counts the bundle once.
export const takeEvents = find<TakeEventsInput, TakeEventsRow>('takeEvents')

export type AddToDaysInput = { events: string }
export type AddToDaysRow = Record<string, never>
export const addToDays = find<AddToDaysInput, AddToDaysRow>('addToDays')

export type AddToCountsInput = { ids: string[]; more: number[] }
export type AddToCountsRow = Record<string, never>
// Sales of a variant count for its product. Locks rows in the order of ids, so that two nodes cannot deadlock.
export const addToCounts = find<AddToCountsInput, AddToCountsRow>('addToCounts')

export type MoveSomeInput = { limit: number }
export type MoveSomeRow = { sellerId: string }
export const moveSome = find<MoveSomeInput, MoveSomeRow>('moveSome')

export type AddViewsInput = { productIds: string[]; viewerIds: string[] }
export type AddViewsRow = Record<string, never>
// Adds views to the daily sums. Ignores a seller's own views and views of unlisted products.
export const addViews = find<AddViewsInput, AddViewsRow>('addViews')
