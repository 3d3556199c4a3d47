import { Failure } from '../../kit/failure.ts'
import type { Db } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { firstReveal } from '../../delivery/events.server.ts'
import { bonusOf } from '../../payments/bonus.server.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { findOpenDispute } from '../../payments/disputes/disputes.store.server.ts'
import { paymentsOf } from '../../payments/payments.store.server.ts'
import { readLeftLines } from '../../payments/refunds/refundLines.store.server.ts'
import { findRefundable, isUnused, readCreditLeftCents, readLeftCents } from '../../payments/refunds.store.server.ts'
import type { Mailing } from '../../notifications/mail/caseMail.server.ts'
import { askRefund, type RefundOffer } from './refund.contract.ts'
import { decideRoute, refundOrWait, type Terms } from './approval.server.ts'

export const refundRoutes = ({
  config,
  publicUrl,
}: {
  config: Terms & Mailing['config']
  publicUrl: string
}): Route[] => [
  decideRoute,

  handle(
    askRefund,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async ({ id, amount, left, reason, isCodeSeen, isUnused, lines }, { user, db, header }) => {
      const key = header('idempotency-key') ?? ''
      if (key.length < 1 || key.length > 255)
        throw new Failure(400, 'Idempotency-Key: give 1 to 255 characters.', 'key_missing')
      const asking = { actorId: user.id, key, seen: { leftCents: toCents(left), isUnused }, isCodeSeen }
      const named = lines && { lines: lines.map((line) => ({ orderLineId: line.id, quantity: line.copies })) }
      const refund = await refundOrWait({ db, config, publicUrl }, id, reason, toCents(amount), { ...asking, ...named })
      return { id: refund.id, status: refund.status, amount: toDecimal(refund.amountCents) }
    },
  ),
]

/** Returns the refundable amounts and the effects of a refund. Null without money. `erasedAt` is the buyer's. */
export async function readRefundOffer(
  db: Db,
  order: { id: string; creditCents: number; erasedAt: Date | null },
  { refundApprovalAboveCents: most }: Terms,
): Promise<RefundOffer | null> {
  const payment = await findRefundable(db, await paymentsOf(db, order.id))
  if (!payment) return null
  const isCredit = payment.provider === CREDIT
  const hasNoCredit = isCredit || isUnused(payment)
  const left = isUnused(payment) ? [] : await readLeftLines(db, order.id)
  return {
    paid: toDecimal(payment.amountCents),
    left: toDecimal(await readLeftCents(db, payment)),
    credit: toDecimal(hasNoCredit ? 0 : await readCreditLeftCents(db, payment, order)),
    lines: left.map((line) => ({
      id: line.orderLineId,
      title: line.title,
      copies: line.quantity,
      returned: line.returnedQuantity,
      paid: toDecimal(line.grossCents),
      left: toDecimal(line.grossCents - line.returnedCents),
    })),
    isDisputed: (await findOpenDispute(db, payment.id)) !== undefined,
    bonus: toDecimal(await bonusOf(db, order.id)),
    to: payment.provider,
    isSandbox: !isCredit && payment.mode === 'sandbox',
    isUnused: isUnused(payment),
    isErased: order.erasedAt !== null,
    // another payment paid for the codes
    codesSeenAt: isUnused(payment) ? null : ((await firstReveal(db, order.id))?.toISOString() ?? null),
    approvalAbove: most === Infinity ? null : toDecimal(most),
  }
}
