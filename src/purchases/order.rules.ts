import { toCents } from '../kit/money.ts'
import { endedStatus, REFUNDING } from '../orders/states.rules.ts'
import type { Order, OrderLine } from './orders.contract.ts'

export const lineCents = ({ price, quantity }: OrderLine): number => toCents(price) * quantity

export const refundedCents = ({ refunds }: Pick<Order, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + toCents(amount), 0)

export const filesOf = ({ status, lines }: Order): OrderLine[] =>
  status === 'completed' ? lines.filter(({ delivery }) => delivery?.kind === 'file') : []

/** 'Bread by Weight and 2 more' */
export const namesOf = ([first, ...others]: OrderLine[]): string =>
  [first?.title, others.length > 0 && `and ${others.length} more`].filter(Boolean).join(' ')

/** Includes refunded orders, because they have a receipt too. */
export const isPaid = ({ status }: Pick<Order, 'status'>): boolean => status === 'completed' || status === 'refunded'

export const isRefunding = ({ status, code }: Order['events'][number]) =>
  status === 'failed' && REFUNDING.includes(code)

/** The order failed before the shop received money: the payment was closed, canceled or expired. */
export const isUnpaid = ({ status, events }: Pick<Order, 'status' | 'events'>): boolean =>
  status === 'failed' && !events.some(isRefunding)

export const isRefundAsked = ({ lines }: Pick<Order, 'lines'>): boolean =>
  lines.some(({ refundRequest }) => refundRequest?.state === 'open')

export function shownStatus({ status, events, takenBack }: Pick<Order, 'status' | 'events' | 'takenBack'>): string {
  return takenBack ? 'taken back' : endedStatus(status, events.at(-1)?.code)
}

export const minutesLeft = (expiresAt: string | null, now: number): number | null =>
  expiresAt === null ? null : Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 60_000))

export const unpaidOf = (orders: Order[], now: number): Order[] =>
  orders.filter(
    ({ status, hold, expiresAt }) => status === 'pending' && hold?.kind !== 'hold' && minutesLeft(expiresAt, now) !== 0,
  )

/** While a dispute of the payment is open, the buyer cannot open the goods. */
export const isFrozen = ({ dispute }: Pick<Order, 'dispute'>): boolean => dispute?.state === 'open'

/** True if a press may open something of the order, or give it away. */
export const opensGoods = (order: Pick<Order, 'status' | 'dispute' | 'lines'>): boolean =>
  order.status === 'completed' &&
  !isFrozen(order) &&
  order.lines.some(({ delivery, isToGive }) => delivery !== null || isToGive)

/** Copies of a file beside the buyer's own, and all copies of what was bought to give away. */
export function copiesToGive({ quantity, refunded, given = 0, isToGive, delivery }: OrderLine): number {
  const left = quantity - refunded - given
  if (isToGive) return left
  return delivery?.kind === 'file' ? left - 1 : 0
}
