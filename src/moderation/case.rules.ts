import { formatDay } from '../localisation/dates.rules.ts'
import { plural } from '../localisation/plural.rules.ts'
import type { CaseBrief } from './moderation.contract.ts'
import { REASONS } from './reasons.rules.ts'

const DECISIONS = { kept: 'Left as it is', taken_down: 'Taken down', restored: 'Put back' } as const

export const describeDecision = ({ decision, isReview }: Pick<CaseBrief, 'decision' | 'isReview'>): string =>
  decision === null ? 'Not decided' : decision === 'taken_down' && isReview ? 'Hidden' : DECISIONS[decision]

/** Formats 'Review: Spam or advertising, 3 reports'. Reports of erased members are deleted. */
export function describeCase(one: CaseBrief, now: number): string {
  const told = describeQuestion(one, now) ?? describeReports(one)
  return one.isReview ? `Review: ${told}` : told
}

const describeReports = ({ reason, reports }: CaseBrief): string =>
  [...(reason ? [REASONS[reason] ?? reason] : []), plural(reports, 'report')].join(', ')

type CaseFacts = Pick<CaseBrief, 'isAnswered' | 'answerBy' | 'decision'>

export function describeQuestion({ isAnswered, answerBy, decision }: CaseFacts, now: number): string | null {
  if (isAnswered) return 'The seller answered'
  if (answerBy === null || decision !== null) return null
  return isWaited(answerBy, now)
    ? `Asked the seller, until ${formatDay(answerBy)}`
    : `The seller did not answer by ${formatDay(answerBy)}`
}

const isWaited = (answerBy: string, now: number) => Date.parse(answerBy) > now

export const isAsked = ({ answerBy, isAnswered }: CaseFacts, now: number): boolean =>
  answerBy !== null && !isAnswered && isWaited(answerBy, now)
