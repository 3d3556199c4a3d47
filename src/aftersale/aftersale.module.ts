import type { Cutter } from '../catalogue/previews/cut/cutter.server.ts'
import type { Checkout } from '../checkout/context.server.ts'
import type { CodeVault } from '../delivery/codes/vault.server.ts'
import type { Supplier } from '../delivery/supply/supplier.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { PaymentsConfig } from '../payments/payments.settings.server.ts'
import { caseJobs, caseRoutes } from './cases/cases.server.ts'
import { disputeRoutes } from './disputes/dispute.routes.server.ts'
import { disputeJobs } from './disputes/dispute.server.ts'
import { evidenceFileJobs, evidenceFileRoutes } from './disputes/evidenceFiles.server.ts'
import { eventJobs } from './events.server.ts'
import { giftJobs } from './gifts/gift.mail.server.ts'
import { giftRoutes } from './gifts/gifts.server.ts'
import { reclaimRoute } from './refunds/reclaim.server.ts'
import { refundJobs } from './refunds/refund.server.ts'
import { refundRoutes } from './refunds/refund.routes.server.ts'
import { refundRequestRoutes } from './refunds/request.server.ts'
import { selfRefundRoutes } from './refunds/selfRefund.server.ts'
import { settleRefundRoute } from './refunds/settleRefund.server.ts'
import { sellerDisputeJobs, sellerDisputeRoutes } from './sellerDisputes/sellerDispute.server.ts'
import { resendRoute } from './sellerSales/resend.server.ts'
import { sellerRefundRoutes } from './sellerSales/sellerRefund.server.ts'
import { supplyJobs, supplyRoutes } from './supply/supply.server.ts'

type Needs = Kit<PaymentsConfig> & { checkout: Checkout; vault: CodeVault; supplier: Supplier | null; cutter: Cutter }

export const aftersale = {
  open({ config, publicUrl, checkout, vault, supplier, cutter }: Needs) {
    const supplying = { checkout, vault, supplier }
    const attaching = { ...checkout, cutter }
    return {
      routes: [
        ...selfRefundRoutes(checkout),
        settleRefundRoute(checkout),
        reclaimRoute(checkout),
        ...disputeRoutes(checkout),
        ...evidenceFileRoutes(attaching),
        ...giftRoutes(checkout),
        ...caseRoutes(checkout, vault),
        ...supplyRoutes(supplying),
        ...refundRoutes({ config, publicUrl }),
        ...refundRequestRoutes(checkout),
        ...sellerRefundRoutes(checkout),
        resendRoute(checkout),
        ...sellerDisputeRoutes(attaching),
      ],
      jobs: [
        ...eventJobs(checkout),
        ...refundJobs(checkout),
        ...disputeJobs(checkout),
        ...sellerDisputeJobs(checkout),
        ...evidenceFileJobs(checkout),
        ...giftJobs(checkout),
        ...caseJobs(checkout),
        ...supplyJobs(supplying),
      ],
      parts: { supplying },
    }
  },
} satisfies Module
