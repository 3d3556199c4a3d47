import type { Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import type { Payouts } from './context.server.ts'
import { ownPayoutRoutes, requestMonthly } from './request.server.ts'
import { payoutReviewRoutes } from './review.server.ts'
import { readBatch, reconcilePayouts, sendBatch } from './send.server.ts'

export const payoutRoutes = (payouts: Payouts): Route[] => [...ownPayoutRoutes(payouts), ...payoutReviewRoutes(payouts)]

export const payoutJobs = (payouts: Payouts): Job[] => [
  { name: 'send_payouts', pool: 'money', run: ({ id = '' }) => sendBatch(payouts, id) },
  { name: 'read_payouts', pool: 'money', run: ({ id = '' }) => readBatch(payouts, id) },
  { name: 'reconcile_payouts', pool: 'money', cron: '* * * * *', run: () => reconcilePayouts(payouts) },
  { name: 'monthly_payouts', pool: 'money', cron: '7 * * * *', run: () => requestMonthly(payouts) },
]
