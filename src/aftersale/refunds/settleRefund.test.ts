import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { settleRefund } from './refund.contract.ts'
import { refundOrder, runRefund } from './refund.server.ts'

// Staff settle a refund whose result the provider does not report.

const open = openShopForTests({ BONUS_PERCENT: '0' })

async function unexplained() {
  const { checkout, database } = open.shop
  const order = await buy(open.shop, await open.shop.join(), await addProduct(open.shop))
  const { id } = await refundOrder(checkout, order.id, 'a page is missing', 300)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  await expect(runRefund(checkout, id)).rejects.toThrow()
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const staff = await open.shop.join({ role: 'finance' })
  const age = () =>
    database.pool.query(`UPDATE refunds SET created_at = now() - interval '6 hours' WHERE id = $1`, [id])
  const read = async () => (await staff.call(readOrderFile, { id: order.id })).refunds[0]!
  const acts = async () => {
    const audit = database.db
      .selectFrom('audit')
      .select(['actorId', 'details'])
      .where('act', '=', 'order.refund_settled')
    return audit.where('subjectId', '=', order.id).execute()
  }
  return { id, order, staff, age, read, acts }
}

test('settles a refund as made with the provider’s reference, once and audited', async () => {
  const { id, staff, age, read, acts } = await unexplained()
  const settle = { id, isMade: true, reference: `REF-${id.slice(0, 8)}`, reason: 'the provider’s support confirmed it' }
  expect((await read()).canSettle).toBe(false)
  await expect(staff.call(settleRefund, settle)).rejects.toMatchObject({ status: 409, code: 'too_soon' })
  await age()
  expect((await read()).canSettle).toBe(true)
  await expect(staff.call(settleRefund, { ...settle, reference: undefined })).rejects.toMatchObject({ status: 400 })
  expect(await staff.call(settleRefund, settle)).toEqual({ id, status: 'completed' })
  expect(await read()).toMatchObject({
    status: 'completed',
    amount: '3.00',
    providerRefundId: settle.reference,
    canSettle: false,
  })
  await expect(staff.call(settleRefund, settle)).rejects.toMatchObject({ status: 409, code: 'refund_over' })
  expect(await acts()).toEqual([
    {
      actorId: staff.id,
      details: expect.objectContaining({ as: 'made', amount: '$3.00', reference: settle.reference }) as unknown,
    },
  ])
})

test('settles a refund as not made, and allows a new request', async () => {
  const { id, order, staff, age, read } = await unexplained()
  await age()
  const settled = await staff.call(settleRefund, { id, isMade: false, reason: 'not in the provider’s records' })
  expect(settled.status).toBe('failed')
  expect(await read()).toMatchObject({ status: 'failed', refusal: 'SETTLED: not in the provider’s records' })
  // the job of the first refund sends nothing
  await runRefund(open.shop.checkout, id)
  const { id: next } = await refundOrder(open.shop.checkout, order.id, 'a page is missing', 300)
  await runRefund(open.shop.checkout, next)
  expect((await staff.call(readOrderFile, { id: order.id })).refunds.map(({ status }) => status)).toEqual([
    'failed',
    'completed',
  ])
})

test('requires the role, a fresh proof and an unused reference to settle a refund', async () => {
  const [one, other] = [await unexplained(), await unexplained()]
  for (const { age } of [one, other]) await age()
  const settle = { id: one.id, isMade: true, reference: 'REF-SHARED', reason: 'confirmed' }
  const support = await open.shop.join({ role: 'support' })
  await expect(support.call(settleRefund, settle)).rejects.toMatchObject({ status: 403 })
  await one.staff.call(settleRefund, settle)
  await expect(other.staff.call(settleRefund, { ...settle, id: other.id })).rejects.toMatchObject({
    ...{ status: 409, code: 'reference_known' },
  })
  await open.shop.database.pool.query(
    `UPDATE sessions SET verified_at = now() - interval '11 minutes' WHERE user_id = $1`,
    [other.staff.id],
  )
  await expect(other.staff.call(settleRefund, { ...settle, id: other.id })).rejects.toMatchObject({
    ...{ status: 403, code: 'step_up_required' },
  })
})

test('rejects settling a refund by hand that the provider knows', async () => {
  const { id, staff, age, read } = await unexplained()
  await age()
  await open.shop.database.pool.query('UPDATE refunds SET provider_refund_id = $2 WHERE id = $1', [id, `PENDING-${id}`])
  expect((await read()).canSettle).toBe(false)
  await expect(staff.call(settleRefund, { id, isMade: false, reason: 'it takes long' })).rejects.toMatchObject({
    ...{ status: 409, code: 'provider_knows' },
  })
})
