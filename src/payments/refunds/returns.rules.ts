import { returnedFeeOf } from '../fee.rules.ts'

export type Earned = {
  orderLineId: string
  sellerId: string
  grossCents: number
  feeCents: number
  returnedCents: number
  returnedFeeCents: number
}

export type Returned = { orderLineId: string; sellerId: string; cents: number; feeCents: number }

export type NamedLine = { orderLineId: string; amountCents: number }

/** Splits a refund over the lines of an order in proportion to their remaining amounts. The parts sum to the refund. */
export function sharesOf(amountCents: number, leftCents: number[]): number[] {
  let left = amountCents
  let leftPaid = leftCents.reduce((sum, cents) => sum + cents, 0)
  return leftCents.map((cents) => {
    const share = cents === 0 ? 0 : Number((BigInt(left) * BigInt(cents)) / BigInt(leftPaid))
    left -= share
    leftPaid -= cents
    return share
  })
}

/**
 * Calculates the refunded amount and fee of each line. The named lines pay first, up to their remaining amount. The
 * lines share the rest in proportion. Many partial refunds sum to one full refund.
 */
export function returnsOf(amountCents: number, earned: Earned[], named: NamedLine[] = []): Returned[] {
  let rest = amountCents
  const own = earned.map(({ orderLineId, grossCents, returnedCents }) => {
    const wanted = named.find((line) => line.orderLineId === orderLineId)?.amountCents ?? 0
    const cents = Math.min(wanted, grossCents - returnedCents, rest)
    rest -= cents
    return cents
  })
  const shares = sharesOf(
    rest,
    earned.map(({ grossCents, returnedCents }, i) => grossCents - returnedCents - (own[i] ?? 0)),
  )
  return earned.map(({ orderLineId, sellerId, ...line }, i) => {
    const cents = (own[i] ?? 0) + (shares[i] ?? 0)
    const returned = line.returnedCents + cents
    const feeCents = returnedFeeOf(line.feeCents, returned, line.grossCents) - line.returnedFeeCents
    return { orderLineId, sellerId, cents, feeCents }
  })
}

export type Copies = { grossCents: number; returnedCents: number; quantity: number; returnedQuantity: number }

/** Calculates the refund of some copies, at most the remaining amount. The last copy refunds the remainder. */
export function centsOfCopies(
  { grossCents, returnedCents, quantity, returnedQuantity }: Copies,
  copies: number,
): number {
  const left = Math.max(0, grossCents - returnedCents)
  if (copies >= quantity - returnedQuantity) return left
  const upTo = (count: number) => Number((BigInt(grossCents) * BigInt(count)) / BigInt(quantity))
  return Math.min(left, upTo(returnedQuantity + copies) - upTo(returnedQuantity))
}
