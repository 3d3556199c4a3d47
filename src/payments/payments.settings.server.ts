import { z } from 'zod'
import { type Given, whole } from '../kit/config.server.ts'
import { DECIMAL, toCents } from '../kit/money.ts'

export const PAYMENTS_SETTINGS = {
  REFUND_APPROVAL_ABOVE: z
    .string()
    .regex(new RegExp(`^none$|${DECIMAL.source}`))
    .default('500.00')
    .describe('dollars and cents, such as 500.00, or none: a larger refund needs a second member of staff'),
  BONUS_PERCENT: whole(0, 100, 15).describe('a whole number of percent from 0 (no bonus) to 100'),
  BONUS_CAP: z.string().regex(DECIMAL).default('15.00').describe('dollars and cents, such as 15.00'),
}

export type PaymentsConfig = ReturnType<typeof resolvePayments>

export const resolvePayments = (given: Given<typeof PAYMENTS_SETTINGS>) => ({
  refundApprovalAboveCents: given.REFUND_APPROVAL_ABOVE === 'none' ? Infinity : toCents(given.REFUND_APPROVAL_ABOVE),
  bonus: {
    percent: given.BONUS_PERCENT,
    capCents: toCents(given.BONUS_CAP),
  },
})
