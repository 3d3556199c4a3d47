// Made by `npm run tables` from orders.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('orders.sql', import.meta.url))

export type FindOrderInput = { id: string }
export type FindOrderRow = {
  id: string
  userId: string
  checkoutKey: string
  requestHash: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  source: 'cart' | 'product' | 'gift'
  totalCents: number
  currency: string
  paymentMethod: string | null
  paymentId: string | null
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  completedAt: Date | null
  creditCents: number
  isExpired: boolean
}
// The database's clock decides `is_expired`.
export const findOrder = find<FindOrderInput, FindOrderRow>('findOrder')

export type LockOrderInput = { id: string }
export type LockOrderRow = {
  id: string
  userId: string
  checkoutKey: string
  requestHash: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  source: 'cart' | 'product' | 'gift'
  totalCents: number
  currency: string
  paymentMethod: string | null
  paymentId: string | null
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  completedAt: Date | null
  creditCents: number
  isExpired: boolean
}
export const lockOrder = find<LockOrderInput, LockOrderRow>('lockOrder')

export type FindLinesInput = { orderId: string }
export type FindLinesRow = {
  id: string
  orderId: string
  position: number
  productId: string
  sellerId: string
  title: string
  priceCents: number
  quantity: number
  delivery: 'file' | 'code' | 'license' | 'course'
  fileId: string | null
  discountCents: number
  moreFileIds: string[]
  bundleId: string | null
  bundleTitle: string | null
  giftId: string | null
}
export const findLines = find<FindLinesInput, FindLinesRow>('findLines')

export type FindPendingOrderInput = { userId: string }
export type FindPendingOrderRow = {
  id: string
  userId: string
  checkoutKey: string
  requestHash: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  source: 'cart' | 'product' | 'gift'
  totalCents: number
  currency: string
  paymentMethod: string | null
  paymentId: string | null
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  completedAt: Date | null
  creditCents: number
  isExpired: boolean
}
// The user's newest order that can still be paid.
export const findPendingOrder = find<FindPendingOrderInput, FindPendingOrderRow>('findPendingOrder')

export type FindPlacedInput = { userId: string; checkoutKey: string }
export type FindPlacedRow = {
  id: string
  userId: string
  checkoutKey: string
  requestHash: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  source: 'cart' | 'product' | 'gift'
  totalCents: number
  currency: string
  paymentMethod: string | null
  paymentId: string | null
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  completedAt: Date | null
  creditCents: number
  isExpired: boolean
}
export const findPlaced = find<FindPlacedInput, FindPlacedRow>('findPlaced')

export type FindByNumberInput = { wholeId: string | null; short: string | null }
export type FindByNumberRow = { id: string; buyer: string; totalCents: number; createdAt: Date }
// Orders with a number, complete or its last eight characters.
export const findByNumber = find<FindByNumberInput, FindByNumberRow>('findByNumber')
