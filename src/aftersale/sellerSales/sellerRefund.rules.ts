import { returnedFeeOf } from '../../payments/fee.rules.ts'
import { centsOfCopies, type Copies } from '../../payments/refunds/returns.rules.ts'

export type UnderWay = {
  grossCents: number
  feeCents: number
  returnedCents: number
  returnedFeeCents: number
  /** What refunds under way return of the sale. */
  wantedCents: number
}

/** What a refund takes from the seller: the money of the sale less the fee that the store returns. */
export function takenCents({ grossCents, feeCents, returnedCents, returnedFeeCents, wantedCents }: UnderWay): number {
  const cents = Math.min(wantedCents, grossCents - returnedCents)
  return cents - (returnedFeeOf(feeCents, returnedCents + cents, grossCents) - returnedFeeCents)
}

export type Owed = { owedCents: number; disputedCents: number }

/** What a seller has for another refund. */
export const fundsOf = ({ owedCents, disputedCents }: Owed, underWay: UnderWay[]): number =>
  owedCents - disputedCents - underWay.reduce((sum, line) => sum + takenCents(line), 0)

export type SaleSums = Copies & { feeCents: number; returnedFeeCents: number }

/** What the buyer gets for copies of a sale, and what leaves the seller's balance. */
export function effectOfCopies(sale: SaleSums, copies: number): { backCents: number; takenCents: number } {
  const backCents = centsOfCopies(sale, copies)
  return { backCents, takenCents: takenCents({ ...sale, wantedCents: backCents }) }
}
