import { firstReveal } from '../../delivery/events.server.ts'
import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { firstOf, only } from '../../kit/values/required.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lockSellers } from '../../payments/balance.server.ts'
import { findOpenDispute } from '../../payments/disputes/disputes.store.server.ts'
import { sellerAccount } from '../../payments/ledger/transfers.store.server.ts'
import { paymentsOf } from '../../payments/payments.store.server.ts'
import { findRefundable } from '../../payments/refunds.store.server.ts'
import { readLeftLines } from '../../payments/refunds/refundLines.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { APPROVAL_NEEDED, refundOrder } from '../refunds/refund.server.ts'
import { getSaleRefundOffer, refundSale, type SaleRefundOffer } from './sellerRefund.contract.ts'
import { fundsOf } from './sellerRefund.rules.ts'
import * as statements from './sellerSales.statements.server.ts'

// A seller refunds copies of a sale. The refund is that of staff (decision 0050) with two conditions more: the line is the
// seller's, and the seller's balance covers it. Payouts and other refunds of the seller wait for the same lock.

const GOODS_OPENED = new Failure(409, 'The buyer has opened this. Say that you know it.', 'goods_opened')

export const sellerRefundRoutes = ({ db, config }: Pick<Checkout, 'db' | 'config'>): Route[] => [
  handle(getSaleRefundOffer, { limits: [{ per: 'account', count: 60, seconds: 60 }] }, ({ id }, { user }) =>
    readOffer(db, { id, sellerId: user.id }, config.refundApprovalAboveCents),
  ),

  handle(
    refundSale,
    { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
    async ({ id, copies, total, reason, isOpened }, { user, header }) => {
      const key = header('idempotency-key') ?? ''
      if (key.length < 1 || key.length > 255)
        throw new Failure(400, 'Idempotency-Key: give 1 to 255 characters.', 'key_missing')
      const { orderId } = await findSale(db, { id, sellerId: user.id })
      const asking = {
        ...{ actorId: user.id, key, lines: [{ orderLineId: id, quantity: copies }] },
        // of the whole order; whether this sale was opened is checked under the lock of the order
        isCodeSeen: (await firstReveal(db, orderId)) !== null,
        mostCents: config.refundApprovalAboveCents,
        last: async (tx: Tx) => {
          if (!isOpened && (await findSale(tx, { id, sellerId: user.id })).isOpened) throw GOODS_OPENED
          await demandFunds(tx, user.id)
        },
      }
      try {
        const refund = await refundOrder({ db }, orderId, reason, toCents(total), asking)
        return { id: refund.id, status: refund.status, total }
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== APPROVAL_NEEDED) throw error
        throw new Failure(
          409,
          'A refund this large is for the store to make. Write to us in the chat.',
          APPROVAL_NEEDED,
        )
      }
    },
  ),
]

type SellersSale = { id: string; sellerId: string }

/** Throws a Failure 404 unless the line is a sale of the seller. */
export async function findSale(db: Db | Tx, sale: SellersSale) {
  const [found] = await statements.findSale(db, sale)
  if (!found) throw new Failure(404, 'Not found')
  return found
}

const readFunds = async (db: Db | Tx, sellerId: string): Promise<number> =>
  fundsOf(
    only(await statements.readOwed(db, { sellerId, account: sellerAccount(sellerId) })),
    await statements.listUnderWay(db, { sellerId }),
  )

/** Throws a Failure 409 unless the seller's balance covers all refunds under way, the new one among them. */
async function demandFunds(tx: Tx, sellerId: string) {
  await lockSellers(tx, [sellerId])
  const shortCents = -(await readFunds(tx, sellerId))
  if (shortCents > 0)
    throw new Failure(
      409,
      `Your balance is ${usd(shortCents)} short of this refund. Disputed sales do not count. Write to us in the chat.`,
      'funds_missing',
    )
}

async function readOffer(db: Db, sale: SellersSale, mostCents: number): Promise<SaleRefundOffer> {
  const { orderId, isOpened } = await findSale(db, sale)
  const line = firstOf((await readLeftLines(db, orderId)).filter(({ orderLineId }) => orderLineId === sale.id))
  const payment = await findRefundable(db, await paymentsOf(db, orderId))
  const fees = await db
    .selectFrom('earnings')
    .select(['feeCents', 'returnedFeeCents'])
    .where('orderLineId', '=', sale.id)
    .executeTakeFirstOrThrow()
  return {
    copies: line.quantity,
    returned: line.returnedQuantity,
    paid: toDecimal(line.grossCents),
    returnedSum: toDecimal(line.returnedCents),
    fee: toDecimal(fees.feeCents),
    returnedFee: toDecimal(fees.returnedFeeCents),
    funds: toDecimal(await readFunds(db, sale.sellerId)),
    approvalAbove: mostCents === Infinity ? null : toDecimal(mostCents),
    isDisputed: payment !== undefined && (await findOpenDispute(db, payment.id)) !== undefined,
    isOpened,
  }
}
