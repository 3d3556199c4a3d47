import type { Dispute } from '../../payments/disputes/disputes.store.server.ts'
import type { Evidence } from '../../payments/disputes/disputes.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { readEvidence } from './disputeQueue.statements.server.ts'
import { deliveryLine, policyOf } from './evidence.rules.ts'
import { only } from '../../kit/values/required.ts'

const MAX_DELIVERIES = 100

/** Collects the evidence of a disputed purchase in the form that the provider receives. Staff review it first. */
export async function collectEvidence(
  { db, config, publicUrl }: Pick<Checkout, 'db' | 'config' | 'publicUrl'>,
  { orderId }: Pick<Dispute, 'orderId'>,
): Promise<Omit<Evidence, 'note' | 'files'>> {
  const rows = await readEvidence(db, { orderId, mostDeliveries: MAX_DELIVERIES })
  const { deliveries, ...facts } = only(rows)
  return {
    ...facts,
    deliveryLog: deliveries.map(deliveryLine),
    refundPolicy: policyOf(config.selfRefundDays, `${publicUrl}/refunds`),
  }
}
