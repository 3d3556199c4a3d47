import { toCents } from '../kit/money.ts'
import type { Order, OrderLine, OrderStatus } from './orders.contract.ts'

/** The last eight characters, as orders and payments are shown. */
export const shortId = (id: string): string => id.slice(-8)

export const lineCents = ({ price, quantity }: OrderLine): number => toCents(price) * quantity

/** The lines of an order whose file can be downloaded now. */
export const filesOf = ({ status, lines }: Order): OrderLine[] =>
  status === 'completed' ? lines.filter(({ delivery }) => delivery?.kind === 'file') : []

export type Step = { name: string; at: string | null; isDone: boolean }

const steps: Record<OrderStatus, string> = {
  pending: 'Placed',
  completed: 'Paid',
  failed: 'Not paid',
  refunded: 'Refunded',
}

/** What happened to an order, and what comes next while it is under way. `at` is an ISO time. */
export function timelineOf({ status, events, lines }: Pick<Order, 'status' | 'events' | 'lines'>): Step[] {
  const done: Step[] = events.map((event) => ({ name: steps[event.status], at: event.at, isDone: true }))
  const isReady = status === 'completed' && lines.every(({ delivery }) => delivery !== null)
  if (status === 'completed')
    done.push({ name: 'Ready', at: isReady ? (events.at(-1)?.at ?? null) : null, isDone: isReady })
  if (status !== 'pending') return done
  return [...done, { name: 'Paid', at: null, isDone: false }, { name: 'Ready', at: null, isDone: false }]
}

/** Whole minutes until `expiresAt`, at least 0; null where nothing expires. */
export const minutesLeft = (expiresAt: string | null, now: number): number | null =>
  expiresAt === null ? null : Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 60_000))
