/** `basisPoints` are hundredths of a percent: 525 is 5.25 %. `fixedCents` applies to each line of an order. */
export type FeeTerms = { basisPoints: number; fixedCents: number }

/** Calculates the fee of a line: its percentage, rounded down, plus the fixed part. At most the paid amount. */
export function feeOf(grossCents: number, { basisPoints, fixedCents }: FeeTerms): number {
  const share = Number((BigInt(grossCents) * BigInt(basisPoints)) / 10_000n)
  return Math.min(grossCents, share + fixedCents)
}

/** Calculates the returned fee in proportion, rounded down. A full refund of the line returns the whole fee. */
export function returnedFeeOf(feeCents: number, returnedCents: number, grossCents: number): number {
  if (returnedCents >= grossCents) return feeCents
  return Number((BigInt(feeCents) * BigInt(returnedCents)) / BigInt(grossCents))
}

export function toBasisPoints(percent: string): number {
  const [whole = '0', part = ''] = percent.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

export const toPercent = (basisPoints: number): string => String(basisPoints / 100)
