import { holdCodes } from '../delivery/codes.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { linesOf, lockOrder } from '../orders/orders.server.ts'
import { CREDIT } from '../payments/credit.contract.ts'
import { insertPayment } from '../payments/payments.store.server.ts'
import type { Visitor } from '../risk/risk.server.ts'
import type { Checkout } from './context.server.ts'
import { codeLines, SOLD_OUT } from './pay.server.ts'
import { tellReady } from './receipt.server.ts'
import { STOPPED } from './risk.server.ts'
import { complete } from './settle.server.ts'

/**
 * Completes an order that store credit covers, in the transaction that places it. A sold-out code or a refusal rolls back
 * credit and cart too. Codes, ledger and refunds refer to its payment row.
 */
export async function completeByCredit(tx: Tx, checkout: Checkout, visitor: Visitor, orderId: string) {
  if ((await checkout.risk.judgeCovered(tx, orderId, visitor)) === 'refuse') throw STOPPED
  const order = (await lockOrder(tx, orderId))!
  const payment = await insertPayment(tx, {
    orderId,
    provider: CREDIT,
    mode: checkout.providers.main.mode,
    amountCents: order.totalCents,
  })
  // credit is locked before the codes here; no transaction waits for codes, so none can deadlock
  if (!(await holdCodes(tx, payment.id, await codeLines(tx, orderId)))) throw SOLD_OUT
  const lines = await linesOf(tx, orderId)
  await complete(tx, order, payment, lines, { captureId: payment.id, moneyCents: 0 })
  await tellReady(tx, checkout, order, lines)
}
