import { z } from 'zod'
import { type Given, needAll, whole } from '../kit/config.server.ts'
import { operatorFailure } from '../kit/failure.ts'
import { DECIMAL, toCents } from '../kit/money.ts'
import { toBasisPoints } from './fee.rules.ts'
import { problemOfBank, tidyAccount } from './payouts/bank.rules.ts'

export const PAYMENTS_SETTINGS = {
  KEEP_RECEIVED_WEBHOOKS_DAYS: whole(60, 3650, 400, 'number of days'),
  REFUND_APPROVAL_ABOVE: z
    .string()
    .regex(new RegExp(`^none$|${DECIMAL.source}`))
    .default('500.00')
    .describe('dollars and cents, such as 500.00, or none: a larger refund needs a second member of staff'),
  PAYOUT_APPROVAL_ABOVE: z
    .string()
    .regex(new RegExp(`^none$|${DECIMAL.source}`))
    .default('1000.00')
    .describe('dollars and cents, such as 1000.00, or none: larger payouts need a second member of staff'),
  SELF_REFUND_DAYS: whole(0, 90, 14).describe('whole days from 0 (buyers always ask) to 90'),
  BONUS_PERCENT: whole(0, 100, 15).describe('a whole number of percent from 0 (no bonus) to 100'),
  BONUS_CAP: z.string().regex(DECIMAL).default('15.00').describe('dollars and cents, such as 15.00'),
  FEE_PERCENT: z
    .string()
    .regex(/^(\d{1,2}(\.\d{1,2})?|100(\.00?)?)$/)
    .default('5')
    .describe('percent of a sale from 0 to 100 with up to two decimals, such as 5 or 2.75'),
  FEE_CENTS: whole(0, 10_000, 0).describe('whole cents from 0 to 10000'),
  PAYOUT_HOLD_DAYS: whole(0, 365, 7).describe('whole days from 0 to 365'),
  PAYOUT_MINIMUM: z.string().regex(DECIMAL).default('25.00').describe('dollars and cents, such as 25.00'),
  PAYOUT_REVIEW_DAYS: whole(1, 30, 3, 'number of days'),
  PAYOUT_BANK_ACCOUNT: z
    .string()
    .min(1)
    .optional()
    .describe("an IBAN or account number: the shop's, that pays sellers"),
  PAYOUT_BANK_CODE: z.string().min(1).optional().describe('the BIC or routing number of that bank'),
}

export type PaymentsConfig = ReturnType<typeof resolvePayments>

export const resolvePayments = (given: Given<typeof PAYMENTS_SETTINGS>) => ({
  keepReceivedWebhooksDays: given.KEEP_RECEIVED_WEBHOOKS_DAYS,
  refundApprovalAboveCents: given.REFUND_APPROVAL_ABOVE === 'none' ? Infinity : toCents(given.REFUND_APPROVAL_ABOVE),
  selfRefundDays: given.SELF_REFUND_DAYS,
  bonus: {
    percent: given.BONUS_PERCENT,
    capCents: toCents(given.BONUS_CAP),
  },
  fee: { basisPoints: toBasisPoints(given.FEE_PERCENT), fixedCents: given.FEE_CENTS },
  payoutHoldDays: given.PAYOUT_HOLD_DAYS,
  payouts: {
    minimumCents: toCents(given.PAYOUT_MINIMUM),
    reviewDays: given.PAYOUT_REVIEW_DAYS,
    /** Limit for the payouts of one seller within seven days. */
    approvalAboveCents: given.PAYOUT_APPROVAL_ABOVE === 'none' ? Infinity : toCents(given.PAYOUT_APPROVAL_ABOVE),
    /** The shop's account that pays sellers. Null disables payouts to banks. */
    bank: resolveBank(given),
  },
})

function resolveBank(given: Given<typeof PAYMENTS_SETTINGS>): { account: string; bank: string } | null {
  needAll(given, ['PAYOUT_BANK_ACCOUNT', 'PAYOUT_BANK_CODE'])
  if (!given.PAYOUT_BANK_ACCOUNT || !given.PAYOUT_BANK_CODE) return null
  const [account, bank] = [tidyAccount(given.PAYOUT_BANK_ACCOUNT), tidyAccount(given.PAYOUT_BANK_CODE)]
  const problem = problemOfBank(account, bank)
  if (!problem) return { account, bank }
  throw operatorFailure(
    `${problem.field === 'account' ? 'PAYOUT_BANK_ACCOUNT' : 'PAYOUT_BANK_CODE'}: ${problem.message}`,
  )
}
