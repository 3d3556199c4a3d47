import { toCents } from '../kit/money.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'

export type BonusTerms = {
  percent: number
  capCents: number
}
/** `isOwn`: the buyer is also the seller. `earns`: the category of the product earns the bonus. */
export type BoughtLine = { earns: boolean; cents: number; isOwn: boolean }

/** Calculates the bonus of a first purchase, rounded down. Only `paidCents`, the part paid with money, earns it. */
export function bonusCents(lines: BoughtLine[], paidCents: number, { percent, capCents }: BonusTerms) {
  const sum = (some: BoughtLine[]) => some.reduce((cents, line) => cents + BigInt(line.cents), 0n)
  const total = sum(lines)
  if (total === 0n) return 0
  const eligible = sum(lines.filter(({ earns, isOwn }) => earns && !isOwn))
  const bonus = (eligible * BigInt(paidCents) * BigInt(percent)) / (total * 100n)
  return Math.min(Number(bonus), capCents)
}

/** Calculates the bonus to take back after refunds of `refundedCents`, in proportion. A full refund takes back all. */
/** Only the stand-ins may omit the payer's id. A live payment without one could earn the bonus on every new account. */
export const isPayerKnown = (payer: { identifiesPayer: boolean; payerId: string | null; mode: 'sandbox' | 'live' }) =>
  payer.identifiesPayer && (payer.payerId !== null || payer.mode === 'sandbox')

export function takenBackCents(earnedCents: number, refundedCents: number, paidCents: number): number {
  if (refundedCents >= paidCents) return earnedCents
  return Number((BigInt(earnedCents) * BigInt(refundedCents)) / BigInt(paidCents))
}

export const anyOf = (names: string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(names)

export const spendableCents = (balanceCents: number): number => Math.max(0, balanceCents)

/** Days until a bonus can pay for cash-like goods. After them a refund of its order is unlikely. */
export const BONUS_HOLD_DAYS = 14

/** Calculates how much of a total store credit can pay. The held bonus cannot pay the `cashCents` part. */
export const creditTowards = (totalCents: number, spendable: number, { cashCents = 0, heldCents = 0 } = {}): number =>
  Math.min(totalCents, spendable, totalCents - cashCents + Math.max(0, spendable - heldCents))

export const describeHeld = ({ amount, until, cash }: { amount: string; until: string; cash: string[] }): string =>
  `What is left of your ${usd(toCents(amount))} first-purchase bonus doesn’t pay for ${anyOf(cash)} before ${formatDay(until)}.`

/** '-1.50' -> '−$1.50', '1.50' -> '+$1.50'. */
export const signedUsd = (amount: string): string =>
  amount.startsWith('-') ? `−${usd(toCents(amount.slice(1)))}` : `+${usd(toCents(amount))}`
