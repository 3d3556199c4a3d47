import { Failure } from '../../kit/failure.ts'
import { findOrder } from '../../orders/orders.store.server.ts'
import { paymentsOf } from '../../payments/payments.store.server.ts'
import type { Checkout } from '../context.server.ts'

export async function readBankUrl(
  { db, providers }: Checkout,
  userId: string,
  orderId: string,
): Promise<string | null> {
  const order = await findOrder(db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  const asked = (await paymentsOf(db, orderId)).find(
    ({ walletId, status, providerOrderId }) => walletId !== null && status === 'created' && providerOrderId !== null,
  )
  const outcome = asked && (await providers.named(asked.provider).find(asked))
  return outcome?.kind === 'asked' ? outcome.url : null
}
