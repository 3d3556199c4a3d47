import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { firstOf, only } from '../../kit/values/required.ts'
import { lockSellers } from '../../payments/balance.server.ts'
import { findOpenDispute } from '../../payments/disputes/disputes.store.server.ts'
import { sellerAccount } from '../../payments/ledger/transfers.store.server.ts'
import { paymentsOf } from '../../payments/payments.store.server.ts'
import { isSuspended } from '../../payments/payouts/payouts.store.server.ts'
import { readGivenCents } from '../../payments/refunds.store.server.ts'
import { readLeftLines } from '../../payments/refunds/refundLines.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { APPROVAL_NEEDED, refundOrder } from '../refunds/refund.server.ts'
import {
  getSaleRefundOffer,
  type Refusal,
  refundSale,
  REFUSALS,
  type SaleRefundOffer,
} from './sellerRefund.contract.ts'
import { fundsOf, MAX_REFUNDS, REFUND_DAYS } from './sellerRefund.rules.ts'
import { describeShort } from './sellerRefund.texts.rules.ts'
import * as statements from './sellerSales.statements.server.ts'

// A seller refunds copies of a sale like staff (decision 0050), but only their own sale, and from their own balance. Money on
// hold pays only the refund of its own sale, because buyers may still dispute it. Payouts wait for the same lock.

const GOODS_OPENED = new Failure(409, 'This sale has been opened. Confirm that you know this.', 'goods_opened')
const FOR_THE_STORE = 'Write to us in the chat.'

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
      const sale = { id, sellerId: user.id }
      const { orderId } = await findSale(db, sale)
      const asking = {
        ...{ actorId: user.id, key, lines: [{ orderLineId: id, quantity: copies }], sale: { id, copies } },
        mostCents: config.refundApprovalAboveCents,
        last: async (tx: Tx) => {
          if (!isOpened && (await findSale(tx, sale)).isOpened) throw GOODS_OPENED
          await lockSellers(tx, [user.id])
          await demandAllowed(tx, sale)
          await demandFunds(tx, sale)
        },
      }
      try {
        const refund = await refundOrder({ db }, orderId, reason, toCents(total), asking)
        return { id: refund.id, status: refund.status, total }
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== APPROVAL_NEEDED) throw error
        throw new Failure(409, `The store makes refunds this large. ${FOR_THE_STORE}`, APPROVAL_NEEDED)
      }
    },
  ),
]

type SellersSale = { id: string; sellerId: string }

/** Throws a Failure 404 unless the line is a sale of the seller. */
export async function findSale(db: Db | Tx, sale: SellersSale) {
  const [found] = await statements.findSale(db, { ...sale, days: REFUND_DAYS })
  if (!found) throw new Failure(404, 'Not found')
  return found
}

const readFunds = async (db: Db | Tx, { id, sellerId }: SellersSale): Promise<number> =>
  fundsOf(
    only(await statements.readOwed(db, { id, sellerId, account: sellerAccount(sellerId) })),
    await statements.listUnderWay(db, { id, sellerId }),
  )

const countMade = async (db: Db | Tx, sellerId: string) =>
  only(await statements.countMade(db, { sellerId, days: REFUND_DAYS })).made

/** `refundOrder` checks the buyer and disputes. The refund that is being made counts. */
async function demandAllowed(tx: Tx, sale: SellersSale) {
  if (await isSuspended(tx, sale.sellerId))
    throw new Failure(409, `You can’t sell for now, so the store makes refunds. ${FOR_THE_STORE}`, 'suspended')
  if ((await findSale(tx, sale)).isLate)
    throw new Failure(
      409,
      `This sale is older than ${REFUND_DAYS} days. Ask the buyer to request a refund, or write to us in the chat.`,
      'late',
    )
  if ((await countMade(tx, sale.sellerId)) > MAX_REFUNDS)
    throw new Failure(
      409,
      `You made ${MAX_REFUNDS} refunds in ${REFUND_DAYS} days. The store makes more of them. ${FOR_THE_STORE}`,
      'many',
    )
}

/** Throws a Failure 409 unless the seller's money covers all refunds under way, including the new one. */
async function demandFunds(tx: Tx, sale: SellersSale) {
  const shortCents = -(await readFunds(tx, sale))
  if (shortCents > 0) throw new Failure(409, describeShort(shortCents), 'funds_missing')
}

async function readOffer(db: Db, sale: SellersSale, mostCents: number): Promise<SaleRefundOffer> {
  const { orderId, isOpened, isOwn, isLate } = await findSale(db, sale)
  const line = firstOf((await readLeftLines(db, orderId)).filter(({ orderLineId }) => orderLineId === sale.id))
  const payment = (await paymentsOf(db, orderId)).find(({ status }) => isCaptured(status))
  const fees = await db
    .selectFrom('earnings')
    .select(['feeCents', 'returnedFeeCents'])
    .where('orderLineId', '=', sale.id)
    .executeTakeFirstOrThrow()
  const isDisputed = payment !== undefined && (await findOpenDispute(db, payment.id)) !== undefined
  const refusals: Record<Refusal, boolean> = {
    ...{ disputed: isDisputed, own: isOwn, suspended: await isSuspended(db, sale.sellerId), late: isLate },
    many: (await countMade(db, sale.sellerId)) >= MAX_REFUNDS,
  }
  const givenCents = payment ? await readGivenCents(db, payment.id) : 0
  return {
    copies: line.quantity,
    returned: line.returnedQuantity,
    paid: toDecimal(line.grossCents),
    returnedSum: toDecimal(line.returnedCents),
    fee: toDecimal(fees.feeCents),
    returnedFee: toDecimal(fees.returnedFeeCents),
    funds: toDecimal(await readFunds(db, sale)),
    approvalLeft: mostCents === Infinity ? null : toDecimal(Math.max(0, mostCents - givenCents)),
    refusal: REFUSALS.find((refusal) => refusals[refusal]) ?? null,
    isOpened,
    refunds: (await statements.listRefundsOf(db, { id: sale.id })).map(({ amountCents, ...refund }) => ({
      ...refund,
      total: toDecimal(amountCents),
    })),
  }
}

const isCaptured = (status: string) => ['captured', 'part_refunded', 'refunded'].includes(status)
