import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { wrongBooks } from '../../../test/credit.ts'
import { captureOf, dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { handleRefund, refundAtDashboard } from '../../../test/payment.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { handleReversal } from './reversal.server.ts'

// PAYMENT.CAPTURE.REVERSED contains the id of a capture or a refund.

const open = openShopForTests({ BONUS_PERCENT: '0' })
const main = () => open.shop.checkout.providers.main

async function bought() {
  const buyer = await open.shop.join()
  const order = await buy(open.shop, buyer, await addProduct(open.shop))
  const { captureId } = await captureOf(open.shop, order.id)
  /** Sets the refunded part of the capture that the provider shows. */
  const show = (status: string) =>
    open.shop.database.pool.query(
      `UPDATE sandbox.records SET body = (body::jsonb || jsonb_build_object('status', $2::text))::json WHERE kind = 'capture' AND id = $1`,
      [captureId, status],
    )
  /** Runs the code of the event's job. */
  const reverse = (type: 'capture' | 'refund', id: string) => {
    const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${captureId}` }]
    const resource = { id, ...(type === 'refund' && { links }) }
    const event = { event_type: 'PAYMENT.CAPTURE.REVERSED', resource_type: type, resource }
    const subject = main().subjectOf(JSON.stringify(event))
    if (subject?.about !== 'reversal') throw new Error(`the event is about ${subject?.about}`)
    return handleReversal(open.shop.checkout, main(), subject)
  }
  const read = async () => buyer.call(getOrder, { id: order.id })
  return { order, captureId, show, reverse, read }
}

test.each(['capture', 'refund'] as const)('books a reversal with the id of a %s, once', async (type) => {
  const { captureId, show, reverse, read } = await bought()
  const name = type === 'capture' ? captureId : 'UNREADABLE1'
  expect(await reverse(type, name)).toBe('the provider returned none of it')
  await show('REFUNDED')
  for (let n = 0; n < 2; n++) expect(await reverse(type, name)).toBeNull()
  expect(await read()).toMatchObject({ status: 'refunded', refunds: [{ amount: '10.00' }] })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('books a reversal with a readable refund as that refund', async () => {
  const { captureId, reverse, read } = await bought()
  const refund = await refundAtDashboard(open.shop, captureId, 300)
  expect(await reverse('refund', refund)).toBeNull()
  await handleRefund(open.shop, captureId, refund)
  expect(await read()).toMatchObject({ status: 'completed', refunds: [{ amount: '3.00' }] })
})

test('books nothing for a reversal that belongs to a dispute', async () => {
  const { order, captureId, show, reverse, read } = await bought()
  const { end } = await dispute(open.shop, order.id)
  await show('REFUNDED')
  expect(await reverse('capture', captureId)).toBe('the money of a dispute')
  expect((await read()).refunds).toEqual([])
  await show('COMPLETED')
  await end('lose')
  expect(await reverse('capture', captureId)).toBe('the money of a lost dispute')
  expect((await read()).refunds).toHaveLength(1)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('mails staff about a reversal of the rest after a partly lost dispute', async () => {
  const staff = await open.shop.join({ role: 'finance' })
  const { order, captureId, show, reverse } = await bought()
  const { end } = await dispute(open.shop, order.id)
  await end('lose', 200)
  await show('REFUNDED')
  await reverse('capture', captureId)
  const { rows } = await open.shop.database.pool.query(
    `SELECT FROM mails WHERE recipient = $1 AND subject LIKE '%differ: order ' || right($2::text, 8)`,
    [staff.email, order.id],
  )
  expect(rows).toHaveLength(1)
})
