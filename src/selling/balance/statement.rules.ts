import { signedCents, toDecimal } from '../../kit/money.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { signedUsd, usd } from '../../localisation/usd.rules.ts'
import { MOVEMENT_KINDS, type Movement, type MovementKind, type Statement } from './balance.contract.ts'

// A month of a seller's ledger. Pure; days and months are in UTC.

export type Moved = Pick<Movement, 'day' | 'kind' | 'title' | 'orderId' | 'count'> & { amountCents: number }

export function toStatement(
  { month, openingCents, isSummedUp }: { month: string; openingCents: number; isSummedUp: boolean },
  moved: Moved[],
): Statement {
  const sums = new Map<MovementKind, number>(MOVEMENT_KINDS.map((kind) => [kind, 0]))
  let balance = openingCents
  const movements = moved.map(({ amountCents, ...movement }) => {
    balance += amountCents
    sums.set(movement.kind, sums.get(movement.kind)! + amountCents)
    return { ...movement, amount: toDecimal(amountCents), balance: toDecimal(balance) }
  })
  return {
    month,
    opening: toDecimal(openingCents),
    closing: toDecimal(balance),
    sums: Object.fromEntries([...sums].map(([kind, cents]) => [kind, toDecimal(cents)])) as Statement['sums'],
    isSummedUp,
    movements,
  }
}

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7)

export const addMonths = (month: string, by: number): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return monthOf(Date.UTC(year, number - 1 + by))
}

export const startOf = (month: string): string => `${month}-01T00:00:00.000Z`

const nameIn = (parts: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...parts })
  return (day: string) => format.format(new Date(day))
}

/** '2026-11' -> 'November 2026' */
export const nameMonth = nameIn({ month: 'long', year: 'numeric' })

/** '2026-11-09' -> 'Nov 9' */
export const nameDay = nameIn({ month: 'short', day: 'numeric' })

const KIND_NAMES: Record<Exclude<MovementKind, 'sale'>, string> = {
  discount: 'Discount codes',
  fee: 'Fee',
  refund: 'Refund',
  fee_returned: 'Fee returned',
  payout_returned: 'Payout returned',
  payout: 'Payout',
}

export const nameMovement = ({ kind, title }: Pick<Movement, 'kind' | 'title'>): string =>
  kind === 'sale' ? (title ?? 'Sales at list price') : KIND_NAMES[kind]

/** Returns the text below a movement: '9 copies', 'Order 2C9D5E80, Lo-Fi Loops'. Empty for a fee. */
export function describeMovement({
  kind,
  title,
  orderId,
  count,
}: Omit<Movement, 'day' | 'amount' | 'balance'>): string {
  if (kind === 'sale') return plural(count, 'copy', 'copies')
  if (kind === 'fee') return ''
  if (kind === 'discount') return plural(count, 'sale')
  if (kind === 'payout' || kind === 'payout_returned') return title ?? ''
  if (orderId) return [`Order ${orderId.slice(-8)}`, kind === 'refund' && title].filter(Boolean).join(', ')
  return count === 1 ? '1 refund' : `${count.toLocaleString('en-US')} refunds`
}

/** The net of a month: all movements except payouts. A refund counts in its own month. */
export const netCents = ({ sums }: Pick<Statement, 'sums'>): number =>
  [sums.sale, sums.discount, sums.fee, sums.refund, sums.fee_returned].reduce((all, one) => all + signedCents(one), 0)

/** -1900 -> '−$19.00', 1900 -> '+$19.00', 0 -> '$0.00'. */
export const showChange = (cents: number): string => (cents > 0 ? `+${usd(cents)}` : signedUsd(cents))

const MAX_NAME_LENGTH = 80
/** Shortens a name for a document. The PDF renderer needs many seconds for long names in some scripts. */
export function shortenName(name: string): string {
  const letters = [...name]
  return letters.length > MAX_NAME_LENGTH ? `${letters.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : name
}

export const statementFile = (kind: 'csv' | 'pdf', month: string) =>
  `/api/account/balance/statement.${kind}?month=${month}`
