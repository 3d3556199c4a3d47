import type { Db, Tx } from '../../kit/database.server.ts'
import type { Copies } from './returns.rules.ts'
import { listLeft } from './returns.statements.server.ts'

export type RefundLine = { orderLineId: string; quantity: number; amountCents: number }

/** Amount and copies that were refunded or requested. */
export type LeftLine = Copies & { orderLineId: string; title: string }

export const readLeftLines = (db: Db | Tx, orderId: string): Promise<LeftLine[]> => listLeft(db, { orderId })

export async function insertRefundLines(tx: Tx, refundId: string, lines: RefundLine[]) {
  if (lines.length === 0) return
  await tx
    .insertInto('refundLines')
    .values(lines.map((line) => ({ refundId, ...line })))
    .execute()
}

export const findRefundLines = (db: Db | Tx, refundId: string): Promise<RefundLine[]> =>
  db
    .selectFrom('refundLines')
    .select(['orderLineId', 'quantity', 'amountCents'])
    .where('refundId', '=', refundId)
    .orderBy('orderLineId')
    .execute()
