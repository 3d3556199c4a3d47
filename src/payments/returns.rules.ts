import { returnedFeeOf } from './fee.rules.ts'

// What a refund takes back from the lines of an order. Pure; cents.

/** A paid line, with the sums of what was refunded of it before. */
export type Earned = {
  orderLineId: string
  sellerId: string
  grossCents: number
  feeCents: number
  returnedCents: number
  returnedFeeCents: number
}

/** What one refund takes back from a line, and the part of its fee that the shop returns. */
export type Returned = { orderLineId: string; sellerId: string; cents: number; feeCents: number }

/** Divides a refund among the lines of an order in proportion to what was paid for each. The cents add up to the refund. */
export function sharesOf(amountCents: number, paidCents: number[]): number[] {
  let left = amountCents
  let leftPaid = paidCents.reduce((sum, cents) => sum + cents, 0)
  return paidCents.map((cents) => {
    const share = cents === 0 ? 0 : Number((BigInt(left) * BigInt(cents)) / BigInt(leftPaid))
    left -= share
    leftPaid -= cents
    return share
  })
}

/**
 * What each line returns with the next refund, and the part of its fee that the shop returns. Both follow from all refunds
 * so far, so that many small ones end where one whole refund does.
 */
export function returnsOf(amountCents: number, earned: Earned[]): Returned[] {
  const before = earned.reduce((sum, { returnedCents }) => sum + returnedCents, 0)
  const shares = sharesOf(
    before + amountCents,
    earned.map(({ grossCents }) => grossCents),
  )
  return earned.map(({ orderLineId, sellerId, ...line }, i) => ({
    orderLineId,
    sellerId,
    cents: shares[i]! - line.returnedCents,
    feeCents: returnedFeeOf(line.feeCents, shares[i]!, line.grossCents) - line.returnedFeeCents,
  }))
}
