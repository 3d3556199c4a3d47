import type { Tx } from '../../kit/database.server.ts'
import type { NewOrder } from '../../orders/orders.store.server.ts'
import * as statements from './unpaidTwin.statements.server.ts'

/** The keys of a line that the statement below builds. */
const COMPARED = [
  'productId',
  'quantity',
  'priceCents',
  'discountCents',
  'title',
  'delivery',
  'fileId',
  'moreFileIds',
  'bundleId',
]

/** The newest unpaid direct purchase of equal lines and credit, with five minutes left and no payment in progress. */
export async function findUnpaidTwin(
  tx: Tx,
  userId: string,
  lines: NewOrder['lines'],
  creditCents: number,
): Promise<string | undefined> {
  const [twin] = await statements.findUnpaidTwin(tx, { userId, creditCents, lines: JSON.stringify(lines, COMPARED) })
  return twin?.id
}
