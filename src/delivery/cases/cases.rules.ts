import type { CASE_STATES } from './report.contract.ts'

export const CASE_REASONS = ['invalid', 'used', 'amount', 'expired', 'other'] as const
export type CaseReason = (typeof CASE_REASONS)[number]

export const REASON_NAMES: Record<CaseReason, string> = {
  invalid: 'It isn’t accepted',
  used: 'It was used before',
  amount: 'It has another value',
  expired: 'It has expired',
  other: 'Something else',
}

export type CodeCaseState = (typeof CASE_STATES)[number]

export const isOpenCase = (state: CodeCaseState): boolean =>
  state === 'seller' || state === 'staff' || state === 'refunding'

export const CASE_NAMES: Record<CodeCaseState, string> = {
  seller: 'Waiting for the seller',
  staff: 'Waiting for staff',
  refunding: 'Refund on its way',
  replaced: 'Replaced',
  refunded: 'Refunded',
  rejected: 'Not accepted',
  over: 'Closed with its order',
}
