import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { askRefund, decideRefund } from './refund.contract.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', REFUND_APPROVAL_ABOVE: 'none' })

const LARGE = { amount: '600.00', left: '600.00', reason: 'asked for', isCodeSeen: false }
const ask = (staff: Person, id: string, more: { isCodeSeen?: boolean } = {}) =>
  staff.call(askRefund, { id, ...LARGE, ...more }, { headers: { 'idempotency-key': crypto.randomUUID() } })
const bought = async (buyer: Person, codes?: string[]) =>
  buy(open.shop, buyer, await addProduct(open.shop, { price: '600.00', ...(codes && { codes }) }))

test('lets one member of staff refund any amount without a limit, and applies all other rules', async () => {
  const [buyer, staff] = [await open.shop.join(), await open.shop.join({ role: 'finance' })]
  const order = await bought(buyer, ['SEEN'])
  expect((await staff.call(readOrderFile, { id: order.id })).offer).toMatchObject({ approvalAbove: null })
  await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  await expect(ask(staff, order.id)).rejects.toMatchObject({ status: 409, code: 'codes_seen' })
  await expect(ask(await open.shop.join({ role: 'support' }), order.id)).rejects.toMatchObject({ status: 403 })
  const own = await bought(staff)
  await expect(ask(staff, own.id)).rejects.toMatchObject({ status: 403, code: 'own_purchase' })
  expect(await ask(staff, order.id, { isCodeSeen: true })).toMatchObject({ status: 'requested', amount: '600.00' })
  expect(await staff.call(readOrderFile, { id: order.id })).toMatchObject({ approval: null })
})

test('requires the approval of a waiting refund even after the limit is removed', async () => {
  const [buyer, asker, other] = [
    await open.shop.join(),
    await open.shop.join({ role: 'finance' }),
    await open.shop.join({ isAdmin: true }),
  ]
  const { id: orderId } = await bought(buyer)
  const { id } = await open.shop.database.db
    .insertInto('refundApprovals')
    .values({ orderId, amountCents: 60_000, reason: 'asked for', isCodeSeen: false, askedBy: asker.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await expect(asker.call(decideRefund, { id, isApproved: true })).rejects.toMatchObject({ code: 'own_refund' })
  await other.call(decideRefund, { id, isApproved: true })
  expect(await other.call(readOrderFile, { id: orderId })).toMatchObject({
    approval: null,
    refunds: [{ status: 'requested', amount: '600.00', askedBy: asker.email }],
  })
})
