import { adoptRefund } from '../src/aftersale/refunds/refund.server.ts'
import { MAIN_METHOD } from '../src/payments/methods.ts'
import type { Outcome, PaymentRef, Refunded } from '../src/payments/outcome.ts'
import type { TestShop } from './shop.ts'

type Shop = Pick<TestShop, 'checkout'>

/** The payment method that `placeOrder` uses. */
export const METHOD = MAIN_METHOD

export const paymentRef = (change: Partial<PaymentRef>): PaymentRef => ({
  id: crypto.randomUUID(),
  providerOrderId: null,
  providerCaptureId: null,
  amountCents: 1000,
  currency: 'USD',
  declines: 0,
  ageMinutes: 0,
  sentMinutes: null,
  ...change,
})

/** Captures at the provider without the shop. */
export const captureElsewhere = ({ checkout }: Shop, providerOrderId: string, id: string): Promise<Outcome> =>
  checkout.providers.main.capture(paymentRef({ id, providerOrderId }))

/** Refunds in the provider's dashboard. Returns the provider's id of the refund. */
export async function refundAtDashboard(
  { checkout }: Shop,
  captureRef: string,
  amountCents: number | null,
  id?: string,
) {
  const outcome = await checkout.providers.main.refund({
    id: id ?? `dashboard-${crypto.randomUUID()}`,
    amountCents,
    providerRefundId: null,
    ageMinutes: 0,
    payment: { providerOrderId: null, providerCaptureId: captureRef },
  })
  if (outcome.kind !== 'completed') throw new Error(outcome.kind)
  return (outcome as Refunded).ref!
}

/** Does the work of the job that handles the provider's event about a refund. */
export const handleRefund = ({ checkout }: Shop, captureRef: string, refundRef: string) =>
  adoptRefund(checkout, checkout.providers.main, { captureRef, refundRef })
