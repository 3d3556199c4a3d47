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
// Takes the oldest events, and notifies the open pages of their sellers. The sales of a variant count for its product.
// `bundle_id` is set on one line of a bundle.
export const takeEvents = find<TakeEventsInput, TakeEventsRow>('takeEvents')

export type AddToDaysInput = { events: string }
export type AddToDaysRow = Record<string, never>
export const addToDays = find<AddToDaysInput, AddToDaysRow>('addToDays')

export type AddToCountsInput = { ids: string[]; more: number[] }
export type AddToCountsRow = Record<string, never>
// The sales of a variant are those of its product. Locks in the order of the ids, because two nodes may add at once.
export const addToCounts = find<AddToCountsInput, AddToCountsRow>('addToCounts')

export type MoveSomeInput = { limit: number }
export type MoveSomeRow = { sellerId: string }
export const moveSome = find<MoveSomeInput, MoveSomeRow>('moveSome')

export type AddViewsInput = { productIds: string[]; viewerIds: string[] }
export type AddViewsRow = Record<string, never>
// Adds views to the days of the sellers. Drops a seller's own views and those of unlisted products.
export const addViews = find<AddViewsInput, AddViewsRow>('addViews')
