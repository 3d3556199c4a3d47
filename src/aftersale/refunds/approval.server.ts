import { sql } from 'kysely'
import { firstReveal } from '../../delivery/events.server.ts'
import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle } from '../../kit/handle.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { findOrder } from '../../orders/orders.store.server.ts'
import { mailFinance, type Mailing } from '../../notifications/mail/caseMail.server.ts'
import { shortId } from '../../orders/number.rules.ts'
import type { PaymentsConfig } from '../../payments/payments.settings.server.ts'
import type { Refund } from '../../payments/refunds.store.server.ts'
import { decideRefund } from './refund.contract.ts'
import { APPROVAL_NEEDED, type Asking, refundOrder } from './refund.server.ts'
import * as statements from './staffRefund.statements.server.ts'
import type { AskedLine } from './wanted.server.ts'
import { only } from '../../kit/values/required.ts'

// Large refunds need two people: the request of one member of staff waits until another decides.

export type Terms = Pick<PaymentsConfig, 'refundApprovalAboveCents'>

const WAITS = new Failure(409, 'A refund of this order waits for approval already.', 'approval_waits')
const DECIDED = new Failure(409, 'This refund was decided meanwhile.', 'decided')
const USED = new Failure(
  409,
  'The buyer used the goods after this refund was asked for. Look at it again before you approve it.',
  'goods_used',
)
const OWN = new Failure(409, 'You asked for this refund. Another member of staff decides.', 'own_refund')

export async function refundOrWait(
  { db, config, publicUrl }: { db: Db; config: Terms & Mailing['config']; publicUrl: string },
  orderId: string,
  reason: string,
  wantedCents: number | undefined,
  asking: Asking,
): Promise<Pick<Refund, 'id' | 'amountCents'> & { status: Refund['status'] | 'waiting' }> {
  try {
    const mostCents = config.refundApprovalAboveCents
    return await refundOrder({ db }, orderId, reason, wantedCents, { ...asking, mostCents })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== APPROVAL_NEEDED) throw error
    const amountCents = Number(error.details!.amountCents)
    const { actorId = null, isCodeSeen = false } = asking
    const lines = asking.lines ? JSON.stringify(asking.lines) : null
    return inTransaction(db, async (tx) => {
      // a literal: a cached query plan would not use the partial index for a parameter
      const row = await tx
        .insertInto('refundApprovals')
        .values({ orderId, amountCents, reason, isCodeSeen, lines, askedBy: actorId })
        .onConflict((conflict) => conflict.column('orderId').where('state', '=', sql.lit('waiting')).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!row) {
        const same = { orderId, amountCents, reason, isCodeSeen, askedBy: actorId, lines }
        const [waiting] = await statements.findSame(tx, same)
        if (!waiting) throw WAITS
        return { ...waiting, amountCents, status: 'waiting' as const }
      }
      const details = { amount: usd(amountCents), reason }
      await recordAct(tx, { actorId, act: 'order.refund_asked', subjectId: orderId, details })
      await mailApprovers(tx, { config, publicUrl }, { id: row.id, orderId, amountCents, reason, actorId })
      return { id: row.id, amountCents, status: 'waiting' as const }
    })
  }
}

type WaitingRefund = { id: string; orderId: string; amountCents: number; reason: string; actorId: string | null }

/** Mails the other members of staff, because the requester cannot approve the refund. */
const mailApprovers = (tx: Tx, mailing: Mailing, { id, orderId, amountCents, reason, actorId }: WaitingRefund) =>
  mailFinance(tx, mailing, {
    key: `refund-approval:${id}`,
    ...(actorId && { exceptId: actorId }),
    subject: `A refund of ${usd(amountCents)} waits for your approval`,
    lines: [
      `A refund of ${usd(amountCents)} for order ${shortId(orderId)} is above the limit for one person.`,
      `Reason: ${reason}`,
      'The buyer gets the money when another member of staff approves it.',
    ],
    action: { label: 'Open the order', path: `/admin/orders/${orderId}` },
  })

export const decideRoute = handle(
  decideRefund,
  { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
  async ({ id, isApproved, usedAt }, { user, db }) => {
    const asked = await db.selectFrom('refundApprovals').selectAll().where('id', '=', id).executeTakeFirst()
    if (!asked) throw new Failure(404, 'Not found')
    if (asked.askedBy === user.id) throw OWN
    const { orderId, reason, amountCents, askedBy } = asked
    const lines = asked.lines as AskedLine[] | null
    if ((await findOrder(db, orderId))?.userId === user.id) throw OWN_PURCHASE
    const decide = async (tx: Tx, refund?: Refund) => {
      const decided = await tx
        .updateTable('refundApprovals')
        .set({
          state: isApproved ? 'approved' : 'rejected',
          decidedBy: user.id,
          decidedAt: now,
          refundId: refund?.id ?? null,
        })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .returning('id')
        .executeTakeFirst()
      if (!decided) throw DECIDED
      const act = isApproved ? 'order.refund_approved' : 'order.refund_rejected'
      await recordAct(tx, {
        actorId: user.id,
        act,
        subjectId: orderId,
        details: { amount: usd(amountCents) },
      })
    }
    if (isApproved) {
      if ((await lastUse(db, id)) !== usedAt) throw USED
      const isCodeSeen = (await firstReveal(db, orderId)) !== null
      const asking = { actorId: askedBy, isCodeSeen, last: decide, ...(lines && { lines }) }
      await refundOrder({ db }, orderId, reason, amountCents, asking)
    } else await inTransaction(db, (tx) => decide(tx))
    return { id }
  },
)

/** Returns when the buyer last opened goods of the order after the refund request. Null if never. */
const lastUse = async (db: Db, approvalId: string): Promise<string | null> =>
  only(await statements.readLastUse(db, { approvalId })).at?.toISOString() ?? null
