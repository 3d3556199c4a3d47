import type { Checkout } from '../checkout/context.server.ts'
import type { CodeVault } from '../delivery/codes/vault.server.ts'
import type { Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { caseJobs, caseRoutes } from './cases/cases.server.ts'
import { disputeRoutes } from './disputes/dispute.routes.server.ts'
import { disputeJobs } from './disputes/dispute.server.ts'
import { processWebhook } from './events.server.ts'
import { giftJobs } from './gifts/gift.mail.server.ts'
import { giftRoutes } from './gifts/gifts.server.ts'
import { reclaimRoute } from './refunds/reclaim.server.ts'
import { runRefund } from './refunds/refund.server.ts'
import { selfRefundRoutes } from './refunds/selfRefund.server.ts'
import { settleRefundRoute } from './refunds/settleRefund.server.ts'

export const aftersaleRoutes = (checkout: Checkout, vault: CodeVault): Route[] => [
  ...selfRefundRoutes(checkout),
  settleRefundRoute(checkout),
  reclaimRoute(checkout),
  ...disputeRoutes(checkout),
  ...giftRoutes(checkout),
  ...caseRoutes(checkout, vault),
]

export const aftersaleJobs = (checkout: Checkout): Job[] => [
  {
    name: 'webhook',
    pool: 'money',
    run: async ({ provider = '', eventId = '' }) => processWebhook(checkout, provider, eventId),
  },
  { name: 'refund', pool: 'money', run: async ({ id = '' }) => runRefund(checkout, id) },
  ...disputeJobs(checkout),
  ...giftJobs(checkout),
  ...caseJobs(checkout),
]
