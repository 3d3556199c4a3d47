import type { DisputeTruth } from '../../payments/disputes/disputes.ts'

export type DisputeState = DisputeTruth['state']
export type KnownDispute = { state: DisputeState; heldCents: number }
type Truth = Pick<DisputeTruth, 'state' | 'stage' | 'amountCents' | 'lostCents'>

export const isEnded = (state: DisputeState) => state === 'won' || state === 'lost'

export type DisputeStep =
  /** Nothing changes: it has ended before, and a lost one stays lost. */
  { kind: 'over' } | { kind: 'hold'; heldCents: number } | { kind: 'won' } | { kind: 'lost'; takenCents: number }

/**
 * Returns the next step of a dispute. `holdableCents` is the payment less refunds and other disputes. `returnedCents` is the sum that
 * the provider refunded while the dispute was open. A dispute never takes money that a refund has returned.
 */
export function stepOf(
  known: KnownDispute,
  truth: Truth,
  { holdableCents, returnedCents }: { holdableCents: number; returnedCents: number },
): DisputeStep {
  // a won one may be opened again or lost on appeal
  if (known.state === 'lost' || (known.state === 'won' && truth.state === 'won')) return { kind: 'over' }
  if (truth.state === 'won') return { kind: 'won' }
  const asked = truth.state === 'lost' ? lostCentsOf(truth) : truth.amountCents
  const cents = Math.min(Math.max(0, asked - returnedCents), holdableCents)
  if (truth.state === 'lost') return { kind: 'lost', takenCents: cents }
  return { kind: 'hold', heldCents: truth.stage === 'warning' ? 0 : cents }
}

export const lostCentsOf = ({ amountCents, lostCents }: Pick<Truth, 'amountCents' | 'lostCents'>): number =>
  Math.min(lostCents ?? amountCents, amountCents)

/** Returns true if the dispute closes the order's goods and holds its sellers' money. */
export const freezes = (state: DisputeState, stage: DisputeTruth['stage']) => !isEnded(state) && stage !== 'warning'

const REASONS: [RegExp, string][] = [
  [/NOT_RECEIVED|not_received|product_not_received/i, 'The buyer says that nothing arrived'],
  [/NOT_AS_DESCRIBED|unacceptable/i, 'The buyer says that it is not as described'],
  [/UNAUTHORI[SZ]ED|fraud/i, 'The buyer says that somebody else paid'],
  [/DUPLICATE/i, 'The buyer says that they paid twice'],
  [/CREDIT_NOT_PROCESSED/i, 'The buyer waits for a refund'],
  [/AMOUNT|INCORRECT/i, 'The buyer says that the amount is wrong'],
]

export const describeReason = (reason: string): string =>
  REASONS.find(([word]) => word.test(reason))?.[1] ?? reason.replaceAll('_', ' ').toLowerCase()
