import { readRefundOffer } from '../../checkout/refunds/refund.routes.server.ts'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import type { Config } from '../../kit/config.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { toDecimal } from '../../kit/money.ts'
import type { OrderStatus } from '../../orders/orders.contract.ts'
import { linesOf } from '../../orders/orders.server.ts'
import { paymentsOf } from '../../payments/payments.store.server.ts'
import type { FiledLine, FiledPayment, FiledRefund, OrderFile } from './adminOrders.contract.ts'

const MOST_USES = 100

/** All records of one order. Throws a 404 Failure. */
export async function fileOf(db: Db, id: string, { smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<OrderFile> {
  const order = await db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.userId')
    .select(['orders.id', 'orders.status', 'orders.totalCents', 'orders.creditCents', 'orders.paymentMethod'])
    .select(['orders.createdAt', 'users.id as userId', 'users.email', 'users.firstName', 'users.lastName'])
    .select(['users.createdAt as joinedAt', 'users.erasedAt'])
    .where('orders.id', '=', id)
    .executeTakeFirst()
  if (!order) throw new Failure(404, 'Not found')
  const refunds = await refundsOf(db, id)
  const payments = await paymentsOf(db, id)
  const isErased = order.erasedAt !== null
  return {
    id,
    status: order.status,
    total: toDecimal(order.totalCents),
    credit: toDecimal(order.creditCents),
    paymentMethod: order.paymentMethod,
    createdAt: order.createdAt.toISOString(),
    buyer: {
      id: order.userId,
      name: isErased ? 'Former member' : nameOf(order),
      email: isErased ? null : order.email,
      joinedAt: order.joinedAt.toISOString(),
      orders: await countOrders(db, order.userId),
    },
    lines: await filedLines(db, id),
    events: await eventsOf(db, id),
    payments: payments.map(filePayment),
    refunds,
    bonus: await readBonus(db, id),
    risk: await riskOf(db, id),
    // the refund mail of a mismatched payment has the payment's id
    mails: await mailsOf(db, [
      ...[`held:${id}`, `receipt:${id}`],
      ...[...refunds, ...payments].map((about) => `refund:${about.id}`),
    ]),
    areMailsSent: smtpUrl !== undefined,
    offer: await readRefundOffer(db, order),
  }
}

const isoOrNull = (at: Date | null) => at?.toISOString() ?? null

async function countOrders(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('orders')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

async function filedLines(db: Db, orderId: string): Promise<FiledLine[]> {
  const lines = await linesOf(db, orderId)
  const rows = await db
    .selectFrom('orderLines')
    .innerJoin('users', 'users.id', 'orderLines.sellerId')
    .leftJoin('entitlements', 'entitlements.orderLineId', 'orderLines.id')
    .select(['orderLines.id', 'users.email', 'users.erasedAt'])
    .select(['entitlements.createdAt as deliveredAt', 'entitlements.revokedAt as closedAt'])
    .where('orderLines.orderId', '=', orderId)
    .execute()
  const uses = await db
    .selectFrom('deliveryEvents')
    .innerJoin('entitlements', 'entitlements.id', 'deliveryEvents.entitlementId')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .select(['orderLines.id as lineId', 'deliveryEvents.kind', 'deliveryEvents.createdAt'])
    .where('orderLines.orderId', '=', orderId)
    .orderBy('deliveryEvents.id', 'desc')
    .limit(MOST_USES)
    .execute()
  return lines.map(({ id, productId, title, quantity, priceCents, delivery }) => {
    const { email, erasedAt, deliveredAt, closedAt } = rows.find((row) => row.id === id)!
    return {
      ...{ id, productId, title, quantity, price: toDecimal(priceCents), delivery },
      seller: erasedAt ? null : email,
      deliveredAt: isoOrNull(deliveredAt),
      closedAt: isoOrNull(closedAt),
      uses: uses
        .filter(({ lineId }) => lineId === id)
        .map(({ kind, createdAt }) => ({ kind, at: createdAt.toISOString() })),
    }
  })
}

async function eventsOf(db: Db, orderId: string): Promise<OrderFile['events']> {
  const rows = await db
    .selectFrom('orderEvents')
    .select(['toStatus', 'reason', 'createdAt'])
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute()
  return rows.map(({ toStatus, reason, createdAt }) => ({
    status: toStatus as OrderStatus,
    reason,
    at: createdAt.toISOString(),
  }))
}

type PaymentRow = Awaited<ReturnType<typeof paymentsOf>>[number]
const filePayment = (row: PaymentRow): FiledPayment => ({
  id: row.id,
  provider: row.provider,
  mode: row.mode,
  status: row.status,
  amount: toDecimal(row.amountCents),
  providerOrderId: row.providerOrderId,
  captureId: row.providerCaptureId,
  declines: row.declines,
  lastError: row.lastError,
  createdAt: row.createdAt.toISOString(),
  changedAt: row.updatedAt.toISOString(),
})

async function refundsOf(db: Db, orderId: string): Promise<FiledRefund[]> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .leftJoin('users', 'users.id', 'refunds.askedBy')
    .selectAll('refunds')
    .select('users.email')
    .where('payments.orderId', '=', orderId)
    .orderBy('refunds.createdAt')
    .orderBy('refunds.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    amount: toDecimal(row.amountCents),
    reason: row.reason,
    askedBy: row.email,
    refusal: row.refusal,
    providerRefundId: row.providerRefundId,
    createdAt: row.createdAt.toISOString(),
    changedAt: row.updatedAt.toISOString(),
  }))
}

async function readBonus(db: Db, orderId: string): Promise<OrderFile['bonus']> {
  const bonus = await db
    .selectFrom('creditBonuses')
    .select(['amountCents', 'takenBackCents'])
    .where('orderId', '=', orderId)
    .where('amountCents', '>', 0)
    .executeTakeFirst()
  return bonus ? { earned: toDecimal(bonus.amountCents), takenBack: toDecimal(bonus.takenBackCents) } : null
}

async function riskOf(db: Db, orderId: string): Promise<OrderFile['risk']> {
  const last = await db
    .selectFrom('riskDecisions')
    .select(['decision', 'score', 'reasons', 'createdAt'])
    .where('orderId', '=', orderId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return null
  const hold = await db
    .selectFrom('riskHolds')
    .select(['state', 'resolvedHow', 'endsAt'])
    .where('orderId', '=', orderId)
    .where('kind', '=', 'hold')
    .executeTakeFirst()
  return {
    decision: last.decision,
    score: last.score,
    reasons: last.reasons as NonNullable<OrderFile['risk']>['reasons'],
    at: last.createdAt.toISOString(),
    hold: hold ? { ...hold, endsAt: hold.endsAt.toISOString() } : null,
  }
}

async function mailsOf(db: Db, keys: string[]): Promise<OrderFile['mails']> {
  const rows = await db
    .selectFrom('mails')
    .select(['subject', 'createdAt', 'sentAt', 'refusedAt'])
    .where('key', 'in', keys)
    .orderBy('createdAt')
    .execute()
  return rows.map(({ subject, createdAt, sentAt, refusedAt }) => ({
    subject,
    at: createdAt.toISOString(),
    sentAt: isoOrNull(sentAt),
    isRefused: refusedAt !== null,
  }))
}
