import type { CaseBrief } from './moderation.contract.ts'
import { REASONS } from './reasons.rules.ts'

const DECISIONS = { kept: 'Left as it is', taken_down: 'Taken down', restored: 'Put back' } as const

export const describeDecision = ({ decision, isReview }: Pick<CaseBrief, 'decision' | 'isReview'>): string =>
  decision === null ? 'Not decided' : decision === 'taken_down' && isReview ? 'Hidden' : DECISIONS[decision]

/** 'Review: Spam or advertising, 3 reports'. Reports of erased members are gone. */
export function describeCase(one: CaseBrief): string {
  const reports = `${one.reports} report${one.reports === 1 ? '' : 's'}`
  const told = one.isAnswered
    ? 'The seller answered'
    : one.reason
      ? `${REASONS[one.reason] ?? one.reason}, ${reports}`
      : reports
  return one.isReview ? `Review: ${told}` : told
}
