import { sql } from 'kysely'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import * as statements from './orders.statements.server.ts'
import type { OrderStatus, ReasonCode } from './states.rules.ts'

/** The database's clock decides `isExpired`. */
export type OrderRow = statements.FindOrderRow
export type OrderLineRow = statements.FindLinesRow

export type NewOrder = {
  userId: string
  checkoutKey: string
  requestHash: string
  source: 'cart' | 'product'
  totalCents: number
  creditCents: number
  paymentMethod: string | null
  lines: Omit<OrderLineRow, 'id' | 'orderId' | 'position' | 'giftId'>[]
}

const PAY_WITHIN = sql<Date>`now() + interval '30 minutes'`

/** Inserts a pending order with a copy of its lines, in one statement. */
export async function insertOrder(tx: Tx, { lines, ...order }: NewOrder): Promise<string> {
  const id = crypto.randomUUID()
  await tx
    .with('placed', (db) => db.insertInto('orders').values({ id, ...order, expiresAt: PAY_WITHIN }))
    .with('noted', (db) =>
      db.insertInto('orderEvents').values({ orderId: id, toStatus: 'pending', reasonCode: 'placed', reason: 'placed' }),
    )
    .insertInto('orderLines')
    .values(lines.map((line, position) => ({ ...line, orderId: id, position })))
    .execute()
  return id
}

export const findOrder = async (db: Db | Tx, id: string): Promise<OrderRow | undefined> =>
  (await statements.findOrder(db, { id }))[0]

/** Finds an idempotency key's order. Serializes placements, so that a double click finds the first order. */
export const findPlaced = async (tx: Tx, userId: string, checkoutKey: string): Promise<OrderRow | undefined> =>
  (await statements.findPlaced(tx, { userId, checkoutKey }))[0]

export const findPendingOrder = async (tx: Tx, userId: string): Promise<OrderRow | undefined> =>
  (await statements.findPendingOrder(tx, { userId }))[0]

/**
 * Locks an order. Every money transaction and risk decision takes this lock first. Inserts of rows that reference the
 * order do not wait.
 */
export const lockOrder = async (tx: Tx, id: string): Promise<OrderRow | undefined> =>
  (await statements.lockOrder(tx, { id }))[0]

export const linesOf = (db: Db | Tx, orderId: string): Promise<OrderLineRow[]> => statements.findLines(db, { orderId })

/** Moves a locked order to a status and records why. The database rejects transitions outside the state machine. */
export async function changeOrder(
  tx: Tx,
  order: OrderRow,
  status: OrderStatus,
  code: ReasonCode,
  { reason = code, ...change }: { paymentId?: string; reason?: string } = {},
) {
  const isDone = status === 'completed'
  await tx
    .with('changed', (db) =>
      db
        .updateTable('orders')
        .set({ ...change, status, updatedAt: now, ...(isDone && { completedAt: now }) })
        .where('id', '=', order.id),
    )
    .insertInto('orderEvents')
    .values({ orderId: order.id, fromStatus: order.status, toStatus: status, reasonCode: code, reason })
    .execute()
}

export async function changeMethod(tx: Tx, id: string, paymentMethod: string) {
  await tx.updateTable('orders').set({ paymentMethod, updatedAt: now }).where('id', '=', id).execute()
}

/** Extends the deadline of a pending order whose payment is under review. */
export async function postponeOrder(tx: Tx, { id }: OrderRow, until: Date) {
  await tx
    .updateTable('orders')
    .set({ expiresAt: until, updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expiresAt', '<', until)
    .execute()
}
