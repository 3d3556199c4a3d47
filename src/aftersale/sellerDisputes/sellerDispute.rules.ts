import type { Use } from '../../delivery/uses.rules.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { type Earned, returnsOf } from '../../payments/refunds/returns.rules.ts'

type Deadline = { evidenceDueAt: Date | null; isAnswered: boolean }

/** A seller adds facts until staff have answered the provider, and at most until the provider's deadline. */
export const canAddFacts = ({ evidenceDueAt, isAnswered }: Deadline, now: number): boolean =>
  !isAnswered && (evidenceDueAt === null || evidenceDueAt.getTime() > now)

/** Returns what a seller of an order loses if its dispute of this amount is lost. `earned`: all lines of the order. */
export function lostOf(earned: Earned[], { sellerId, amountCents }: { sellerId: string; amountCents: number }): number {
  const left = earned.reduce((sum, { grossCents, returnedCents }) => sum + grossCents - returnedCents, 0)
  const own = returnsOf(Math.min(amountCents, left), earned).filter((line) => line.sellerId === sellerId)
  return own.reduce((sum, { cents, feeCents }) => sum + cents - feeCents, 0)
}

const DAY_MS = 86_400_000

/** Returns '7 days left, until Nov 29, 2026'. */
export function describeDeadline(dueAt: string | null, now: number): string {
  if (dueAt === null) return 'Without a deadline'
  const left = Date.parse(dueAt) - now
  if (left <= 0) return `Ended ${formatMoment(dueAt)}`
  if (left < DAY_MS) return `Until ${formatMoment(dueAt)}`
  return `${plural(Math.floor(left / DAY_MS), 'day')} left, until ${formatDay(dueAt)}`
}

const WHAT: Record<'access' | Use, string> = {
  access: 'Delivered',
  download: 'Downloaded',
  read: 'Opened to read or watch',
  reveal: 'Codes or key shown',
  copy: 'Code copied',
  activate: 'Key activated on a device',
  deactivate: 'Key removed from a device',
}

export const describeDelivery = (kind: 'access' | Use): string => WHAT[kind]
