import { firstOf } from '../../kit/values/required.ts'
import { returnedFeeOf } from '../../payments/fee.rules.ts'
import { centsOfCopies, type Copies, type Earned, returnsOf } from '../../payments/refunds/returns.rules.ts'

/** Sellers refund this many days after the sale. Later, the buyer must have asked for it. */
export const REFUND_DAYS = 60
/** Maximum refunds of a seller in `REFUND_DAYS`. The store pays the fee that the provider keeps for each refund. */
export const MAX_REFUNDS = 20

/**
 * A sale of an order with refunds under way. `namedCents`: refunds of this sale. `orderCents`: all refunds of the order.
 * `counts`: its refund takes money that the seller could use otherwise.
 */
export type UnderWay = Earned & { orderId: string; namedCents: number; orderCents: number; counts: boolean }

/** `heldCents`: disputed sales and other sales on hold. */
export type Owed = { owedCents: number; heldCents: number }

/** Returns what a seller has for another refund. Splits refunds without lines as the booking does. */
export function fundsOf({ owedCents, heldCents }: Owed, underWay: UnderWay[]): number {
  const orders = Map.groupBy(underWay, ({ orderId }) => orderId)
  return owedCents - heldCents - [...orders.values()].reduce((sum, lines) => sum + takenCents(lines), 0)
}

function takenCents(lines: UnderWay[]): number {
  const leftCents = lines.reduce((sum, { grossCents, returnedCents }) => sum + grossCents - returnedCents, 0)
  const named = lines.map(({ orderLineId, namedCents }) => ({ orderLineId, amountCents: namedCents }))
  const counting = new Set(lines.filter(({ counts }) => counts).map(({ orderLineId }) => orderLineId))
  return returnsOf(Math.min(firstOf(lines).orderCents, leftCents), lines, named)
    .filter(({ orderLineId }) => counting.has(orderLineId))
    .reduce((sum, { cents, feeCents }) => sum + cents - feeCents, 0)
}

export type SaleSums = Copies & { feeCents: number; returnedFeeCents: number }

/** Calculates the buyer's refund for copies of a sale, and its cost to the seller's balance. */
export function effectOfCopies(sale: SaleSums, copies: number): { backCents: number; takenCents: number } {
  const backCents = centsOfCopies(sale, copies)
  const returnedFeeCents = returnedFeeOf(sale.feeCents, sale.returnedCents + backCents, sale.grossCents)
  return { backCents, takenCents: backCents - (returnedFeeCents - sale.returnedFeeCents) }
}
