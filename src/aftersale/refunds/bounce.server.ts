import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { mailFinance } from '../../notifications/mail/caseMail.server.ts'
import { lockOrder, type OrderRow } from '../../orders/orders.store.server.ts'
import { moveCredit } from '../../payments/credit.server.ts'
import { providerAccount, recordTransfer } from '../../payments/ledger/transfers.store.server.ts'
import { lockPaymentsOf, type Payment } from '../../payments/payments.store.server.ts'
import { readSuffix } from '../../payments/refunds/unusedMoney.store.server.ts'
import { lockRefundAtProvider, markBounced, type Refund } from '../../payments/refunds.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { mailBuyer } from '../../checkout/receipt.server.ts'
import { required } from '../../kit/values/required.ts'

// If the buyer's card is closed, the bank returns the refund. The shop books it as store credit (decision 0051).

/** Money that a bank returned and that cannot become credit. Staff handle it. */
const BOUNCED = 'bounced'

type Bouncing = Pick<Checkout, 'db' | 'config' | 'publicUrl'>

export const bookBounced = (checkout: Bouncing, paid: Payment, providerRefundId: string): Promise<boolean> =>
  inTransaction(checkout.db, async (tx) => {
    const order = required(await lockOrder(tx, paid.orderId), 'the order')
    const payment = required(
      (await lockPaymentsOf(tx, order.id)).find(({ id }) => id === paid.id),
      'the payment',
    )
    const refund = await lockRefundAtProvider(tx, payment.id, providerRefundId)
    if (refund?.status !== 'completed') return false
    if (refund.bouncedAt) return true
    await markBounced(tx, refund.id)
    log.error('a refund failed at the provider after it was booked', { payment: payment.id, refund: refund.id })
    const isCredited = await canCredit(tx, order, payment)
    await giveAgain(tx, order, payment, refund.amountCents, isCredited)
    await tell(tx, checkout, order, refund, isCredited)
    return true
  })

/** Mismatched money may be in another currency, and an erased account has no credit. */
async function canCredit(tx: Tx, { userId }: OrderRow, { status }: Payment): Promise<boolean> {
  const buyer = await tx.selectFrom('users').select('erasedAt').where('id', '=', userId).executeTakeFirstOrThrow()
  return status !== 'mismatched' && buyer.erasedAt === null
}

async function giveAgain(tx: Tx, order: OrderRow, payment: Payment, amountCents: number, isCredited: boolean) {
  const account = providerAccount(payment)
  if (isCredited) {
    const { id: orderId, userId } = order
    return moveCredit(tx, { userId, kind: 'bounced', amountCents, orderId }, [{ account, amountCents }], payment.id)
  }
  const suffix = await readSuffix(tx, payment.id)
  await recordTransfer(tx, payment.id, [
    { account: account + suffix, amountCents },
    { account: BOUNCED + suffix, amountCents: -amountCents },
  ])
}

async function tell(tx: Tx, checkout: Bouncing, order: OrderRow, refund: Refund, isCredited: boolean) {
  const sum = usd(refund.amountCents)
  const short = order.id.slice(-8)
  if (isCredited)
    await mailBuyer(tx, checkout, order, {
      key: `bounced:${refund.id}`,
      subject: `Your bank returned a refund: order ${short}`,
      lines: [
        `We refunded ${sum}, and the bank of your card sent the money back. The card may be closed.`,
        `${sum} is now store credit, to be spent from now on.`,
      ],
    })
  await mailFinance(tx, checkout, {
    key: `bounced:${refund.id}`,
    subject: `A bank returned a refund of ${sum}: order ${short}`,
    lines: isCredited
      ? [
          `It is the buyer’s store credit now, and the buyer knows it. If you pay it by hand instead, take the credit back on the order’s page.`,
        ]
      : [
          `It cannot become store credit, because the account is erased or the money was of another currency or amount.`,
          `It stands in the ledger’s account “${BOUNCED}”. Decide what becomes of it.`,
        ],
    action: { label: 'Open the order', path: `/admin/orders/${order.id}` },
  })
}
