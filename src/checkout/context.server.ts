import type { DeliveryConfig } from '../delivery/delivery.settings.server.ts'
import type { Config } from '../kit/config.server.ts'
import type { Database } from '../kit/database.server.ts'
import type { Caller } from '../kit/handle.server.ts'
import type { PaymentsConfig } from '../payments/payments.settings.server.ts'
import type { Payouts } from '../payments/payouts/context.server.ts'
import type { Providers } from '../payments/provider.ts'
import type { Risk } from '../risk/risk.server.ts'
import type { Storage } from '../uploads/storage.server.ts'

export type Checkout = Database & {
  config: Pick<
    Config & PaymentsConfig & DeliveryConfig,
    | 'codeCaseHours'
    | 'supplyMinutes'
    | 'storeName'
    | 'bonus'
    | 'fee'
    | 'payoutHoldDays'
    | 'selfRefundDays'
    | 'refundApprovalAboveCents'
  >
  risk: Risk
  /** Returns the visitor's country if it is cached. */
  countryOf: (visitor: Pick<Caller, 'ip' | 'header'>) => Promise<string | null>
  providers: Providers
  payouts: Payouts
  storage: Storage
  publicUrl: string
  secret: string
}
