import { openGoods } from '../../delivery/gate.server.ts'
import type { Db, Tx } from '../../kit/database.server.ts'
import { linesOf, lockOrder, type OrderLineRow, type OrderRow } from '../../orders/orders.store.server.ts'
import { only } from '../../kit/values/required.ts'
import { CLOSED, OVER } from './gift.failures.ts'
import { readStanding } from './giftLine.statements.server.ts'

export type Bought = { order: OrderRow; line: OrderLineRow }
type LineOf = { id: string; lineId: string }

/** Returns a line of the member's completed order, and locks the order. */
export async function lockOwn(tx: Tx, userId: string, { id, lineId }: LineOf): Promise<Bought | undefined> {
  const order = await lockOrder(tx, id)
  if (order?.userId !== userId || order.status !== 'completed') return undefined
  const line = (await linesOf(tx, id)).find((one) => one.id === lineId)
  return line && { order, line }
}

/** Throws a Failure 409 unless the order of the line is paid without an open refund or dispute. */
export async function demandOpen(tx: Tx, { order, line }: Bought) {
  if (order.status !== 'completed') throw OVER
  if (await isClosed(tx, line.id)) throw CLOSED
}

/** Checks a gift link at the delivery gate. Records no use, because the copies of a gift are unopened. */
export async function openToGive(tx: Tx, bought: Bought, isProven: boolean) {
  await demandOpen(tx, bought)
  const { order, line } = bought
  const goods = { userId: order.userId, lineId: line.id, delivery: line.delivery, isProven }
  await openGoods(tx, { ...goods, use: null, isForGift: true })
}

export const isClosed = async (db: Db | Tx, lineId: string): Promise<boolean> =>
  only(await readStanding(db, { lineId })).isClosed
