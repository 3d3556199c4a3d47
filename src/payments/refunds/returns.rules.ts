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

/** Divides a refund among the lines of an order in proportion to what is left of each. The cents add up to the refund. */
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
 * What each line returns with the next refund, and the part of its fee that the shop returns. The lines that the refund
 * names pay first, as far as something is left of them; the rest is divided. Many small refunds end where a whole one does.
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

/** What a refund of some copies of a line returns: what was paid for them, as far as it is left; the last copy, all that is left. */
export function centsOfCopies(
  { grossCents, returnedCents, quantity, returnedQuantity }: Copies,
  copies: number,
): number {
  const left = Math.max(0, grossCents - returnedCents)
  if (copies >= quantity - returnedQuantity) return left
  const upTo = (count: number) => Number((BigInt(grossCents) * BigInt(count)) / BigInt(quantity))
  return Math.min(left, upTo(returnedQuantity + copies) - upTo(returnedQuantity))
}
