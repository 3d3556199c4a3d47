import type { Checkout } from '../../checkout/context.server.ts'
import {
  type CaseRow,
  endCase,
  findCode,
  handToStaff,
  lockCase,
  replaceCode,
} from '../../delivery/cases/cases.store.server.ts'
import { queueSettling } from '../../delivery/codes/stock.store.server.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { APPROVAL_NEEDED, refundOrder } from '../refunds/refund.server.ts'
import { notifyOfCase } from './case.mail.server.ts'

export const DECIDED = new Failure(409, 'This report was answered meanwhile.', 'decided')
const OUT_OF_STOCK = new Failure(409, 'No other code is for sale. Add codes, or return the money.', 'out_of_stock')

type Act = 'replace' | 'refund'
type Answer = { by: string; words: string; isStaff: boolean }

/** Closes a case with a replacement code, or requests a refund of the code. Locks the order before the case. */
export async function settleCase(checkout: Checkout, found: CaseRow, act: Act, answer: Answer): Promise<void> {
  const { db, config } = checkout
  const orderId = await orderOf(db, found.orderLineId)
  if (act === 'replace')
    return inTransaction(db, async (tx) => {
      await lockOrder(tx, orderId)
      await demandOpen(tx, found.id, answer)
      const replacementId = await replaceCode(tx, found.codeId)
      if (!replacementId) throw OUT_OF_STOCK
      await queueSettling(tx, (await findCode(tx, found.codeId)).productId)
      await closeCase(tx, checkout, found, 'replaced', { ...answer, replacementId })
    })
  const lines = [{ orderLineId: found.orderLineId, quantity: 1 }]
  await refundOrder({ db }, orderId, 'a code that did not work', undefined, {
    ...{ actorId: answer.by, lines, isCodeSeen: true, mostCents: config.refundApprovalAboveCents },
    last: async (tx, { id: refundId }) => {
      await demandOpen(tx, found.id, answer)
      await closeCase(tx, checkout, found, 'refunding', { ...answer, refundId })
    },
  })
}

export async function closeCase(
  tx: Tx,
  checkout: Checkout,
  { id }: CaseRow,
  state: 'replaced' | 'refunding' | 'rejected',
  { by, words, isStaff, ...outcome }: Answer & { replacementId?: string; refundId?: string },
) {
  await endCase(tx, id, { state, words, decidedBy: by, ...outcome })
  if (isStaff) await recordAct(tx, { actorId: by, act: 'report.code_decided', subjectId: id, details: { as: state } })
  await notifyOfCase(tx, checkout, await lockCase(tx, id), state)
}

const orderOf = async (db: Db, lineId: string): Promise<string> =>
  (await db.selectFrom('orderLines').select('orderId').where('id', '=', lineId).executeTakeFirstOrThrow()).orderId

export async function passToStaff(tx: Tx, checkout: Checkout, found: CaseRow, words: string) {
  await handToStaff(tx, found.id, words)
  await notifyOfCase(tx, checkout, await lockCase(tx, found.id), 'escalated')
}

export const isTooLarge = (error: unknown) => error instanceof Failure && error.code === APPROVAL_NEEDED

export async function demandOpen(tx: Tx, id: string, { isStaff }: Pick<Answer, 'isStaff'>) {
  const fresh = await lockCase(tx, id)
  if (fresh.state !== (isStaff ? 'staff' : 'seller')) throw DECIDED
  if ((await findCode(tx, fresh.codeId)).state !== 'sold') throw DECIDED
}
