import { type DisputeEnd, provider } from './provider.ts'
import type { TestShop } from './shop.ts'
import { handleDispute } from '../src/aftersale/disputes/dispute.server.ts'

/** Returns the captured payment of an order and its capture at the provider. */
export async function captureOf({ database: { db } }: Pick<TestShop, 'database'>, orderId: string) {
  const payment = await db
    .selectFrom('payments')
    .select(['id', 'providerCaptureId'])
    .where('orderId', '=', orderId)
    .where('providerCaptureId', 'is not', null)
    .executeTakeFirstOrThrow()
  return { paymentId: payment.id, captureId: payment.providerCaptureId! }
}

/** Does the work of the job that handles the provider's event about a dispute. */
export const hear = ({ checkout }: TestShop, disputeRef: string) =>
  handleDispute(checkout, checkout.providers.main, { disputeRef })

/** Opens a dispute of an order and notifies the shop. Returns the dispute at the provider and in the shop. */
export async function dispute(shop: TestShop, orderId: string, cents?: number, stage?: 'INQUIRY' | 'CHARGEBACK') {
  const { captureId } = await captureOf(shop, orderId)
  const ref = await provider(shop).dispute(captureId, cents, stage)
  await hear(shop, ref)
  const row = await shop.database.db
    .selectFrom('disputes')
    .selectAll()
    .where('providerDisputeId', '=', ref)
    .executeTakeFirstOrThrow()
  const end = async (how: DisputeEnd, part?: number) => {
    await provider(shop).endDispute(ref, how, part)
    await hear(shop, ref)
  }
  return { id: row.id, ref, end }
}
