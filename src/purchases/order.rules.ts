import { toCents } from '../kit/money.ts'
import type { Order, OrderLine, ReasonCode } from './orders.contract.ts'

export const shortId = (id: string): string => id.slice(-8)

export const lineCents = ({ price, quantity }: OrderLine): number => toCents(price) * quantity

export const refundedCents = ({ refunds }: Pick<Order, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + toCents(amount), 0)

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

export const isRefundAsked = ({ lines }: Pick<Order, 'lines'>): boolean =>
  lines.some(({ refundRequest }) => refundRequest?.state === 'open')

export function shownStatus({ status, events, takenBack }: Pick<Order, 'status' | 'events' | 'takenBack'>): string {
  return takenBack ? 'taken back' : endedStatus(status, events.at(-1)?.code)
}

export const endedStatus = <S extends string>(status: S, code: ReasonCode | undefined): S | 'canceled' =>
  status === 'failed' && code === 'canceled_by_buyer' ? 'canceled' : status

export const minutesLeft = (expiresAt: string | null, now: number): number | null =>
  expiresAt === null ? null : Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 60_000))

export const unpaidOf = (orders: Order[], now: number): Order[] =>
  orders.filter(
    ({ status, hold, expiresAt }) => status === 'pending' && hold?.kind !== 'hold' && minutesLeft(expiresAt, now) !== 0,
  )

/** A dispute of the payment is open: nothing of the order opens until it ends. */
export const isFrozen = ({ dispute }: Pick<Order, 'dispute'>): boolean => dispute?.state === 'open'
