import { toCents } from '../kit/money.ts'
import { isRefunding } from './order.rules.ts'
import type { Order } from './orders.contract.ts'
import type { OrderStatus, ReasonCode } from '../orders/states.rules.ts'

/** `cents` is the amount of a refund. `isNow`: the step is in progress. */
export type Step = { name: string; at: string | null; isDone: boolean; cents?: number; isNow?: boolean }

const steps: Record<OrderStatus, string> = {
  pending: 'Placed',
  completed: 'Paid',
  failed: 'Not paid',
  refunded: 'Refunded',
}

const UNPAID: ReasonCode[] = ['free', 'gift']

function stepOf(event: Order['events'][number]): Step {
  if (isRefunding(event)) return { name: 'Refunded', at: event.at, isDone: true }
  const name = event.code === 'claimed' ? 'Claimed' : steps[event.status]
  return { name, at: event.at, isDone: event.status !== 'failed' }
}

export function timelineOf({
  status,
  events,
  lines,
  refunds,
  hold,
  declinedAt,
  takenBack,
}: Pick<Order, 'status' | 'events' | 'lines' | 'refunds' | 'hold' | 'declinedAt' | 'takenBack'>): Step[] {
  // skips the event `refunded`: the last refund already has its own step
  const told = refunds.length > 0 ? events.filter((event) => event.status !== 'refunded') : events
  const done = told.filter(({ code }) => !UNPAID.includes(code)).map(stepOf)
  const isReady =
    status === 'completed' &&
    lines.every(({ delivery, refunded, isToGive }) => delivery !== null || refunded > 0 || isToGive)
  if (status === 'completed')
    done.push({ name: 'Ready', at: isReady ? (told.at(-1)?.at ?? null) : null, isDone: isReady })
  for (const { amount, at, isCredit } of refunds)
    done.push({ name: isCredit ? 'Credit returned' : 'Refunded', at, isDone: true, cents: toCents(amount) })
  if (takenBack) done.push({ name: 'Taken back', at: takenBack.at, isDone: true })
  if (status !== 'pending') return done
  if (declinedAt) done.push({ name: 'Payment declined', at: declinedAt, isDone: false })
  const isPaid = hold?.kind === 'hold'
  const look: Step[] = isPaid ? [{ name: 'Under review', at: null, isDone: false, isNow: true }] : []
  return [
    ...done,
    { name: 'Paid', at: isPaid ? (hold.since ?? null) : null, isDone: isPaid },
    ...look,
    { name: 'Ready', at: null, isDone: false },
  ]
}
