// Made by `npm run tables` from checkout.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('checkout.sql', import.meta.url))

export type ReadBuyerInput = { userId: string }
export type ReadBuyerRow = { email: string; erasedAt: Date | null; hasPush: boolean }
export const readBuyer = find<ReadBuyerInput, ReadBuyerRow>('readBuyer')

export type FindCopyInput = { userId: string; productIds: string[] }
export type FindCopyRow = { productId: string; isOwned: boolean }
// Copies of these products that the member owns or has in an unpaid order as a free line.
export const findCopy = find<FindCopyInput, FindCopyRow>('findCopy')

export type ReadSpendingInput = { orderId: string; userId: string }
export type ReadSpendingRow = { hasCash: boolean; dayCents: number }
// Whether an order has cash-like goods, and the saved-method charges of other orders within a day. Includes orders
// without a payment, because they may be about to charge the wallet.
export const readSpending = find<ReadSpendingInput, ReadSpendingRow>('readSpending')

export type ListIdleInput = { provider: string; idleSeconds: number }
export type ListIdleRow = { id: string }
// Open payments of a provider, captures first. Held payments are due every ten minutes: the dashboard may refund them.
export const listIdle = find<ListIdleInput, ListIdleRow>('listIdle')
