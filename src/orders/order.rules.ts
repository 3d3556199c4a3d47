import { toCents } from '../kit/money.ts'
import type { Order, OrderLine, ReasonCode } from './orders.contract.ts'

/** The last eight characters, for the screen. */
export const shortId = (id: string): string => id.slice(-8)

export const lineCents = ({ price, quantity }: OrderLine): number => toCents(price) * quantity

export const refundedCents = ({ refunds }: Pick<Order, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + toCents(amount), 0)

/** The lines with a file to download. */
export const filesOf = ({ status, lines }: Order): OrderLine[] =>
  status === 'completed' ? lines.filter(({ delivery }) => delivery?.kind === 'file') : []

/** 'Bread by Weight and 2 more' */
export const namesOf = ([first, ...others]: OrderLine[]): string =>
  [first?.title, others.length > 0 && `and ${others.length} more`].filter(Boolean).join(' ')

/** Paid orders have a receipt, also once they are refunded. */
export const isPaid = ({ status }: Pick<Order, 'status'>): boolean => status === 'completed' || status === 'refunded'

/** Reasons of orders that failed after money was taken. It is refunded. */
export const REFUNDING: ReasonCode[] = [
  'risk_refused_paid',
  'refunded_at_provider',
  'amount_mismatch',
  'payment_unusable',
]

export const isRefunding = ({ status, code }: Order['events'][number]) =>
  status === 'failed' && REFUNDING.includes(code)

/** A closed, canceled or expired payment: nothing was taken, so nothing is left of the order. */
export const isUnpaid = ({ status, events }: Pick<Order, 'status' | 'events'>): boolean =>
  status === 'failed' && !events.some(isRefunding)

/** Staff have not answered the buyer's request yet. */
export const isRefundAsked = ({ lines }: Pick<Order, 'lines'>): boolean =>
  lines.some(({ refundRequest }) => refundRequest?.state === 'open')

/** Returns the status for screens. An order that its buyer canceled is shown as canceled, and a gift can be taken back. */
export function shownStatus({ status, events, takenBack }: Pick<Order, 'status' | 'events' | 'takenBack'>): string {
  return takenBack ? 'taken back' : endedStatus(status, events.at(-1)?.code)
}

/** Returns 'canceled' for a failed order that its buyer canceled. `code` is of the order's last event. */
export const endedStatus = <S extends string>(status: S, code: ReasonCode | undefined): S | 'canceled' =>
  status === 'failed' && code === 'canceled_by_buyer' ? 'canceled' : status

/** Minutes until `expiresAt`, rounded up, at least 0. */
export const minutesLeft = (expiresAt: string | null, now: number): number | null =>
  expiresAt === null ? null : Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 60_000))

/** Pending orders that their buyer can still pay, without those under review. */
export const unpaidOf = (orders: Order[], now: number): Order[] =>
  orders.filter(
    ({ status, hold, expiresAt }) => status === 'pending' && hold?.kind !== 'hold' && minutesLeft(expiresAt, now) !== 0,
  )

/** A dispute of the payment is open: nothing of the order opens until it ends. */
export const isFrozen = ({ dispute }: Pick<Order, 'dispute'>): boolean => dispute?.state === 'open'
