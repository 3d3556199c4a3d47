import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'

// What store credit is worth, earns and loses. Pure; cents.

export type BonusTerms = {
  percent: number
  capCents: number
  /** Ids of the categories that earn nothing. */
  excluded: string[]
}
/** `isOwn`: the buyer sells it, so that the price comes back to them. */
export type BoughtLine = { categoryId: string; cents: number; isOwn: boolean }

/**
 * What a first purchase earns. `paidCents` is what was paid with money: lines that credit pays a part of count by the
 * rest, so that credit earns no credit. Rounded down.
 */
export function bonusCents(lines: BoughtLine[], paidCents: number, { percent, capCents, excluded }: BonusTerms) {
  const sum = (some: BoughtLine[]) => some.reduce((cents, line) => cents + BigInt(line.cents), 0n)
  const total = sum(lines)
  if (total === 0n) return 0
  const eligible = sum(lines.filter(({ categoryId, isOwn }) => !isOwn && !excluded.includes(categoryId)))
  const bonus = (eligible * BigInt(paidCents) * BigInt(percent)) / (total * 100n)
  return Math.min(Number(bonus), capCents)
}

/** How much of a bonus is taken back once `refundedCents` of the `paidCents` are: in proportion, at the end all of it. */
export function takenBackCents(earnedCents: number, refundedCents: number, paidCents: number): number {
  if (refundedCents >= paidCents) return earnedCents
  return Number((BigInt(earnedCents) * BigInt(refundedCents)) / BigInt(paidCents))
}

/** The promise in the specification's words, and the rule that stands beside it. */
export const bonusTitle = (percent: number): string => `${percent}% bonus on the first purchase`
export function bonusRule({ percent, cap, excluded }: { percent: number; cap: string; excluded: string[] }): string {
  const what = new Intl.ListFormat('en').format([...excluded, 'anything paid with store credit'])
  return (
    `Get ${percent}% of its price back as store credit, up to $${cap}, as soon as it’s paid. Excludes ${what}. ` +
    'One per person, with a verified email. A refund takes back its share.'
  )
}

/** What can be spent: a debt is none. */
export const spendableCents = (balanceCents: number): number => Math.max(0, balanceCents)
export const debtCents = (balanceCents: number): number => Math.max(0, -balanceCents)

/** How much of a total store credit pays when it is used as far as it reaches. */
export const creditTowards = (totalCents: number, spendable: number): number => Math.min(totalCents, spendable)

/** '-1.50' -> '−$1.50', '1.50' -> '+$1.50'. */
export const signedUsd = (amount: string): string =>
  amount.startsWith('-') ? `−${usd(toCents(amount.slice(1)))}` : `+${usd(toCents(amount))}`
