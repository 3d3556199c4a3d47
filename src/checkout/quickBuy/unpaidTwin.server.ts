import type { Tx } from '../../kit/database.server.ts'
import type { NewOrder } from '../../orders/orders.store.server.ts'
import * as statements from './unpaidTwin.statements.server.ts'

/** The compared fields of a line, as in the SQL statement. */
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

export async function findUnpaidTwin(
  tx: Tx,
  userId: string,
  lines: NewOrder['lines'],
  creditCents: number,
): Promise<string | undefined> {
  const [twin] = await statements.findUnpaidTwin(tx, { userId, creditCents, lines: JSON.stringify(lines, COMPARED) })
  return twin?.id
}
