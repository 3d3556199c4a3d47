import { z } from 'zod'
import { type Given, whole } from '../kit/config.server.ts'
import { DECIMAL, toCents } from '../kit/money.ts'
import { toBasisPoints } from './fee.rules.ts'

export const PAYMENTS_SETTINGS = {
  REFUND_APPROVAL_ABOVE: z
    .string()
    .regex(new RegExp(`^none$|${DECIMAL.source}`))
    .default('500.00')
    .describe('dollars and cents, such as 500.00, or none: a larger refund needs a second member of staff'),
  BONUS_PERCENT: whole(0, 100, 15).describe('a whole number of percent from 0 (no bonus) to 100'),
  BONUS_CAP: z.string().regex(DECIMAL).default('15.00').describe('dollars and cents, such as 15.00'),
  FEE_PERCENT: z
    .string()
    .regex(/^(\d{1,2}(\.\d{1,2})?|100(\.00?)?)$/)
    .default('5')
    .describe('percent of a sale from 0 to 100 with up to two decimals, such as 5 or 2.75'),
  FEE_CENTS: whole(0, 10_000, 0).describe('whole cents from 0 to 10000'),
  PAYOUT_HOLD_DAYS: whole(0, 365, 7).describe('whole days from 0 to 365'),
}

export type PaymentsConfig = ReturnType<typeof resolvePayments>

export const resolvePayments = (given: Given<typeof PAYMENTS_SETTINGS>) => ({
  refundApprovalAboveCents: given.REFUND_APPROVAL_ABOVE === 'none' ? Infinity : toCents(given.REFUND_APPROVAL_ABOVE),
  bonus: {
    percent: given.BONUS_PERCENT,
    capCents: toCents(given.BONUS_CAP),
  },
  fee: { basisPoints: toBasisPoints(given.FEE_PERCENT), fixedCents: given.FEE_CENTS },
  payoutHoldDays: given.PAYOUT_HOLD_DAYS,
})
