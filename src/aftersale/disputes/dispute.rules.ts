import type { DisputeTruth } from '../../payments/disputes/disputes.ts'

export type DisputeState = DisputeTruth['state']
export type KnownDispute = { state: DisputeState; heldCents: number }
type Truth = Pick<DisputeTruth, 'state' | 'stage' | 'amountCents' | 'lostCents'>

export const isEnded = (state: DisputeState) => state === 'won' || state === 'lost'

export type DisputeStep =
  /** The dispute has already ended, or was lost, which is final. */
  { kind: 'over' } | { kind: 'hold'; heldCents: number } | { kind: 'won' } | { kind: 'lost'; takenCents: number }

/**
 * Returns the next step of a dispute. `holdableCents`: the payment minus refunds and other disputes. `returnedCents`:
 * refunds by the provider during the dispute, which the dispute must not take again.
 */
export function stepOf(
  known: KnownDispute,
  truth: Truth,
  { holdableCents, returnedCents }: { holdableCents: number; returnedCents: number },
): DisputeStep {
  // a won dispute may be reopened, or lost on appeal
  if (known.state === 'lost' || (known.state === 'won' && truth.state === 'won')) return { kind: 'over' }
  if (truth.state === 'won') return { kind: 'won' }
  const asked = truth.state === 'lost' ? lostCentsOf(truth) : truth.amountCents
  const cents = Math.min(Math.max(0, asked - returnedCents), holdableCents)
  if (truth.state === 'lost') return { kind: 'lost', takenCents: cents }
  return { kind: 'hold', heldCents: truth.stage === 'warning' ? 0 : cents }
}

export const lostCentsOf = ({ amountCents, lostCents }: Pick<Truth, 'amountCents' | 'lostCents'>): number =>
  Math.min(lostCents ?? amountCents, amountCents)

/** Returns true if the dispute locks the order's goods and holds its sellers' earnings. */
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
