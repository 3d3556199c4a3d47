import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { balanceOf, give, historyOf, wrongBooks } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { fillCart } from '../../../test/riskShop.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { handleRefund, refundAtDashboard, METHOD } from '../../../test/payment.ts'
import { findOrders, readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { listWaiting } from '../../admin/waiting/waiting.contract.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import type { Input } from '../../kit/contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { capturePayment, placeOrder, startPayment } from '../../checkout/checkout.contract.ts'
import { refundOrder, runRefund } from './refund.server.ts'
import { askRefund, decideRefund } from './refund.contract.ts'
import { declineRefund } from './request.contract.ts'

// Staff refund in the browser: the request, its job, and the page afterwards.

const open = openShopForTests({ BONUS_PERCENT: '0' })
const joinStaff = () => open.shop.join({ isAdmin: true })

async function bought({ codes, price }: { codes?: string[]; price?: string } = {}) {
  const buyer = await open.shop.join()
  const order = await buy(
    open.shop,
    buyer,
    await addProduct(open.shop, { ...(codes && { codes }), ...(price && { price }) }),
  )
  return { buyer, order }
}

type RefundInput = Partial<Omit<Input<typeof askRefund>, 'id'>> & { key?: string }
const ask = (staff: Person, id: string, { key = crypto.randomUUID(), ...asked }: RefundInput = {}) =>
  staff.call(
    askRefund,
    { id, amount: '10.00', left: '10.00', reason: 'two pages are missing', isCodeSeen: false, ...asked },
    { headers: { 'idempotency-key': key } },
  )
const fileOf = (staff: Person, id: string) => staff.call(readOrderFile, { id })
const refundsOf = async (staff: Person, id: string) =>
  (await fileOf(staff, id)).refunds.map(({ status, amount, refusal }) => ({ status, amount, refusal }))
const actsOn = async (orderId: string) =>
  (
    await open.shop.database.db
      .selectFrom('audit')
      .select(['act', 'actorId', 'details'])
      .where('subjectId', '=', orderId)
      .orderBy('id')
      .execute()
  ).map(({ details, ...act }) => ({ ...act, ...(details as object) }))
const captureOf = async (orderId: string) => {
  const payment = await open.shop.database.db
    .selectFrom('payments')
    .select(['id', 'providerCaptureId'])
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  const captures = await provider(open.shop).captures()
  return {
    id: payment.providerCaptureId!,
    refunded: captures.find(({ customId }) => customId === payment.id)?.refunded,
  }
}

test('requires a working session of staff for a refund', async () => {
  const { buyer, order } = await bought()
  const staff = await joinStaff()
  const nobody = { ...buyer, call: open.shop.call }
  await expect(ask(nobody, order.id)).rejects.toMatchObject({ status: 401 })
  await expect(ask(buyer, order.id)).rejects.toMatchObject({ status: 403, message: '403: {"message":"Forbidden"}' })
  await open.shop.database.pool.query(
    `UPDATE sessions SET verified_at = now() - interval '31 minutes' WHERE user_id = $1`,
    [staff.id],
  )
  await expect(ask(staff, order.id)).rejects.toMatchObject({ status: 403, code: 'step_up_required' })
  expect(await actsOn(order.id)).toEqual([])
  expect(await refundsOf(await joinStaff(), order.id)).toEqual([])
})

const refundMails = async ({ email }: Person) => {
  const mails = open.shop.database.db.selectFrom('mails').select('bodyText').where('recipient', '=', email)
  const rows = await mails.where('subject', 'like', 'Refund of %').orderBy('createdAt').execute()
  return rows.map(({ bodyText }) => bodyText)
}

test('refunds a part, then the rest, and audits the requester', async () => {
  const { buyer, order } = await bought()
  const staff = await joinStaff()
  const part = await ask(staff, order.id, { amount: '2.50' })
  expect(part).toMatchObject({ status: 'requested', amount: '2.50' })
  expect(await fileOf(staff, order.id)).toMatchObject({
    status: 'completed',
    refunds: [{ status: 'requested', amount: '2.50', reason: 'two pages are missing', askedBy: staff.email }],
    offer: {
      paid: '10.00',
      left: '7.50',
      to: METHOD,
      isSandbox: true,
      isUnused: false,
      isErased: false,
      codesSeenAt: null,
      approvalAbove: '500.00',
    },
  })
  await runRefund(open.shop.checkout, part.id)
  expect((await buyer.call(getOrder, { id: order.id })).refunds).toMatchObject([{ amount: '2.50' }])
  const rest = await ask(staff, order.id, { amount: '7.50', left: '7.50', reason: 'all pages are missing' })
  await runRefund(open.shop.checkout, rest.id)
  expect(await fileOf(staff, order.id)).toMatchObject({
    status: 'refunded',
    lines: [{ closedAt: expect.any(String) as string }],
    mails: [{ subject: /is ready: / }, { subject: /^Refund of \$2\.50/ }, { subject: /^Refund of \$7\.50/ }].map(
      ({ subject }) => ({ subject: expect.stringMatching(subject) as string }),
    ),
    offer: null,
  })
  expect((await captureOf(order.id)).refunded).toBe('10.00')
  const told = { act: 'order.refunded', actorId: staff.id }
  expect(await actsOn(order.id)).toEqual([
    { ...told, amount: '$2.50', reason: 'two pages are missing', refund: part.id },
    { ...told, amount: '$7.50', reason: 'all pages are missing', refund: rest.id },
  ])
  expect(await refundMails(buyer)).toEqual([
    expect.stringContaining('Reason: two pages are missing\n'),
    expect.stringContaining('Reason: all pages are missing\n'),
  ])
  await expect(ask(staff, order.id)).rejects.toMatchObject({ status: 409, code: 'not_captured' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('keeps a command-line reason out of the mail', async () => {
  const { buyer, order } = await bought()
  const { id } = await refundOrder(open.shop.database, order.id, 'ticket 17')
  await runRefund(open.shop.checkout, id)
  expect(await refundMails(buyer)).toEqual([expect.not.stringContaining('ticket 17')])
})

test('mails nothing to an erased account and warns staff', async () => {
  const { buyer, order } = await bought()
  const { db, pool } = open.shop.database
  await pool.query(`UPDATE users SET erase_at = now() - interval '1 hour' WHERE id = $1`, [buyer.id])
  await eraseDueAccounts(db)
  const staff = await joinStaff()
  expect((await fileOf(staff, order.id)).offer).toMatchObject({ left: '10.00', isErased: true })
  await runRefund(open.shop.checkout, (await ask(staff, order.id)).id)
  expect(await fileOf(staff, order.id)).toMatchObject({ status: 'refunded', mails: [] })
  expect(
    await db.selectFrom('mails').select('subject').where('recipient', 'like', '%@erased.invalid').execute(),
  ).toEqual([])
})

test('makes one refund for ten concurrent or repeated requests with one key', async () => {
  const { order } = await bought()
  const staff = await joinStaff()
  const key = crypto.randomUUID()
  const asked = await Promise.all(Array.from({ length: 10 }, () => ask(staff, order.id, { amount: '2.00', key })))
  expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
  await runRefund(open.shop.checkout, asked[0]!.id)
  expect(await ask(staff, order.id, { amount: '2.00', key })).toMatchObject({ id: asked[0]!.id, status: 'completed' })
  expect((await captureOf(order.id)).refunded).toBe('2.00')
  expect(await actsOn(order.id)).toHaveLength(1)
})

test('rejects a key that was used for another request', async () => {
  const staff = await joinStaff()
  const key = crypto.randomUUID()
  const [one, two] = [await bought(), await bought()]
  const both = await Promise.allSettled([one, two].map(({ order }) => ask(staff, order.id, { key })))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 422, code: 'key_reused' },
  })
  const done = both[0]!.status === 'fulfilled' ? one : two
  for (const change of [{ amount: '9.00' }, { reason: 'another' }])
    await expect(ask(staff, done.order.id, { key, ...change })).rejects.toMatchObject({ status: 422 })
  // each person has separate keys
  await expect(ask(await joinStaff(), done.order.id, { key })).rejects.toMatchObject({ code: 'refund_changed' })
})

test('rejects the second of two concurrent refunds', async () => {
  const { order } = await bought()
  const team = [await joinStaff(), await joinStaff()]
  const both = await Promise.allSettled(team.map((staff) => ask(staff, order.id, { amount: '4.00' })))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'refund_changed' },
  })
  expect(await refundsOf(team[0]!, order.id)).toEqual([{ status: 'requested', amount: '4.00', refusal: null }])
})

test('rejects amounts of zero, above the capture, or malformed', async () => {
  const { order } = await bought()
  const staff = await joinStaff()
  await expect(ask(staff, order.id, { amount: '10.01' })).rejects.toMatchObject({
    status: 409,
    code: 'refund_too_large',
  })
  for (const amount of ['0', '0.00', '-1.00', '1.234', '1e2', '', 'all'])
    await expect(ask(staff, order.id, { amount })).rejects.toMatchObject({ status: 400 })
  for (const reason of ['', '  ', 'x'.repeat(501)])
    await expect(ask(staff, order.id, { reason })).rejects.toMatchObject({ status: 400 })
  await expect(ask(staff, order.id, { key: 'x'.repeat(256) })).rejects.toMatchObject({ status: 400 })
  const without = { id: order.id, amount: '1.00', left: '10.00', reason: 'x', isCodeSeen: false }
  await expect(staff.call(askRefund, without)).rejects.toMatchObject({ status: 400, code: 'key_missing' })
  await expect(ask(staff, crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
  await expect(ask(staff, 'x')).rejects.toMatchObject({ status: 404 })
  expect(await refundsOf(staff, order.id)).toEqual([])
})

test('shows the provider’s refusal and accepts a new request', async () => {
  const { order } = await bought()
  const staff = await joinStaff()
  const { checkout } = open.shop
  const capture = await captureOf(order.id)
  const whole = await ask(staff, order.id)
  const inDashboard = await refundAtDashboard(open.shop, capture.id, 900)
  await runRefund(checkout, whole.id)
  expect(await refundsOf(staff, order.id)).toEqual([
    { status: 'failed', amount: '10.00', refusal: 'REFUND_AMOUNT_EXCEEDED' },
  ])
  await handleRefund(open.shop, capture.id, inDashboard)
  const rest = await ask(staff, order.id, { amount: '1.00', left: '1.00' })
  await runRefund(checkout, rest.id)
  expect((await fileOf(staff, order.id)).status).toBe('refunded')
  expect((await captureOf(order.id)).refunded).toBe('10.00')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds once when the response was lost', async () => {
  const { order } = await bought()
  const staff = await joinStaff()
  const { id } = await ask(staff, order.id, { amount: '3.00' })
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  await expect(runRefund(open.shop.checkout, id)).rejects.toThrow()
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  expect(await refundsOf(staff, order.id)).toEqual([{ status: 'requested', amount: '3.00', refusal: null }])
  expect((await fileOf(staff, order.id)).offer).toMatchObject({ left: '7.00' })
  await runRefund(open.shop.checkout, id)
  expect(await refundsOf(staff, order.id)).toEqual([{ status: 'completed', amount: '3.00', refusal: null }])
  expect((await captureOf(order.id)).refunded).toBe('3.00')
})

test('requires a confirmation once the buyer has seen a code', async () => {
  const { buyer, order } = await bought({ codes: ['SEEN-BY-ITS-BUYER'] })
  const staff = await joinStaff()
  expect((await fileOf(staff, order.id)).offer).toMatchObject({ codesSeenAt: null })
  await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  const { offer, lines } = await fileOf(staff, order.id)
  expect(offer!.codesSeenAt).toBe(lines[0]!.uses[0]!.at)
  expect(lines[0]).toMatchObject({ delivery: 'code', uses: [{ kind: 'reveal' }] })
  for (const amount of ['10.00', '1.00'])
    await expect(ask(staff, order.id, { amount })).rejects.toMatchObject({ status: 409, code: 'codes_seen' })
  const { id } = await ask(staff, order.id, { isCodeSeen: true })
  expect(await actsOn(order.id)).toMatchObject([{ refund: id, codes: 'seen by the customer' }])
})

test('refunds money first and store credit with the last of it', async () => {
  const book = await addProduct(open.shop)
  const [buyer, staff] = [await open.shop.join(), await joinStaff()]
  await give(open.shop, buyer, 400)
  await fillCart(buyer, book.id, 1)
  const terms = { amount: '10.00', credit: '4.00', currency: 'USD', intent: 'capture' } as const
  const { id: paymentId, orderId } = await buyer.call(startPayment, terms)
  await provider(open.shop).approve(paymentId)
  await buyer.call(capturePayment, { id: paymentId })
  expect((await fileOf(staff, orderId)).offer).toMatchObject({ paid: '6.00', left: '6.00', credit: '4.00' })
  await expect(ask(staff, orderId, { left: '6.00' })).rejects.toMatchObject({ code: 'refund_too_large' })
  const part = await ask(staff, orderId, { amount: '5.00', left: '6.00' })
  await runRefund(open.shop.checkout, part.id)
  expect(await balanceOf(buyer)).toBe('0.00')
  const rest = await ask(staff, orderId, { amount: '1.00', left: '1.00' })
  await runRefund(open.shop.checkout, rest.id)
  expect(await historyOf(buyer)).toEqual(['given 4.00', 'spent -4.00', 'refunded 4.00'])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('returns store credit without a provider for an order paid by credit', async () => {
  const book = await addProduct(open.shop)
  const [buyer, staff] = [await open.shop.join(), await joinStaff()]
  await give(open.shop, buyer, 1000)
  const { id } = await buyer.call(placeOrder, {
    items: [{ productId: book.id, quantity: 1, price: '10.00' }],
    ...{ total: '10.00', paymentMethod: METHOD, paymentId: `${METHOD}_1`, source: 'product' },
  })
  expect((await fileOf(staff, id)).offer).toMatchObject({ to: 'store credit', credit: '0.00', isSandbox: false })
  const part = await ask(staff, id, { amount: '2.50' })
  await runRefund(open.shop.checkout, part.id)
  expect(await balanceOf(buyer)).toBe('2.50')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds unused money in full, and again after a rejection', async () => {
  const [buyer, staff] = [await open.shop.join(), await joinStaff()]
  await fillCart(buyer, (await addProduct(open.shop)).id, 1)
  const terms = { amount: '10.00', currency: 'USD', intent: 'capture' } as const
  const { id: paymentId, orderId } = await buyer.call(startPayment, terms)
  await provider(open.shop).approve(paymentId)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['amount'] })
  await buyer.call(capturePayment, { id: paymentId }).catch(() => undefined)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const { offer, refunds, status } = await fileOf(staff, orderId)
  const [own] = refunds
  expect({ status, own, offer }).toMatchObject({
    status: 'failed',
    own: { status: 'requested', askedBy: null },
    offer: { isUnused: true, left: '0.00' },
  })
  await expect(ask(staff, orderId, { left: '0.00', isUnused: true })).rejects.toMatchObject({
    code: 'refund_too_large',
  })
  await open.shop.database.pool.query(`UPDATE refunds SET status = 'failed' WHERE id = $1`, [own!.id])
  const { left } = (await fileOf(staff, orderId)).offer!
  expect(left).toBe(own!.amount)
  await expect(ask(staff, orderId, { amount: '0.01', left, isUnused: true })).rejects.toMatchObject({
    code: 'refund_whole_only',
  })
  const whole = await ask(staff, orderId, { amount: left, left, isUnused: true })
  await runRefund(open.shop.checkout, whole.id)
  expect(await refundsOf(staff, orderId)).toMatchObject([{ status: 'failed' }, { status: 'completed', amount: left }])
  expect((await captureOf(orderId)).refunded).toBe(left)
  expect(await wrongBooks(open.shop)).toEqual([])
})

const LARGE = { amount: '600.00', left: '600.00' }
const decide = (staff: Person, id: string, isApproved = true) => staff.call(decideRefund, { id, isApproved })

test('holds a large refund until a member of staff other than the requester approves it', async () => {
  const { order } = await bought({ price: '600.00' })
  const [asker, other] = [await open.shop.join({ role: 'finance' }), await joinStaff()]
  const waiting = await ask(asker, order.id, LARGE)
  expect(waiting).toMatchObject({ status: 'waiting', amount: '600.00' })
  expect(await fileOf(other, order.id)).toMatchObject({
    refunds: [],
    approval: { id: waiting.id, askedBy: asker.email, amount: '600.00', reason: 'two pages are missing' },
  })
  // a retry, because the response may have been lost
  expect(await ask(asker, order.id, LARGE)).toEqual(waiting)
  await expect(ask(other, order.id, LARGE)).rejects.toMatchObject({ status: 409, code: 'approval_waits' })
  const decline = other.call(declineRefund, { id: order.id, answer: 'No.' })
  await expect(decline).rejects.toMatchObject({ status: 409, code: 'refund_under_way' })
  await expect(decide(asker, waiting.id)).rejects.toMatchObject({ status: 409, code: 'own_refund' })
  await expect(decide(await open.shop.join({ role: 'support' }), waiting.id)).rejects.toMatchObject({ status: 403 })
  // two clicks make one refund
  const twice = await Promise.allSettled([decide(other, waiting.id), decide(other, waiting.id)])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await refundsOf(other, order.id)).toEqual([{ status: 'requested', amount: '600.00', refusal: null }])
  expect((await fileOf(other, order.id)).approval).toBeNull()
  expect((await actsOn(order.id)).map(({ act, actorId }) => [act, actorId])).toEqual([
    ['order.refund_asked', asker.id],
    ['order.refunded', asker.id],
    ['order.refund_approved', other.id],
  ])
})

test('mails other staff about a refund that waits for approval, counts it and finds it in the search', async () => {
  const { order } = await bought({ price: '600.00' })
  const [asker, other] = [await open.shop.join({ role: 'finance' }), await open.shop.join({ role: 'finance' })]
  const support = await open.shop.join({ role: 'support' })
  const countOf = async (staff: Person) =>
    (await staff.call(listWaiting, {})).find(({ kind }) => kind === 'refundApprovals')?.count
  const before = (await countOf(other)) ?? 0
  const waiting = await ask(asker, order.id, LARGE)
  await ask(asker, order.id, LARGE)
  const mails = await open.shop.database.db
    .selectFrom('mails')
    .select('recipient')
    .where('key', 'like', `refund-approval:${waiting.id}:%`)
    .execute()
  const recipients = mails.map(({ recipient }) => recipient)
  expect(recipients.filter((one) => one === other.email)).toHaveLength(1)
  expect(recipients).not.toContain(asker.email)
  expect(recipients).not.toContain(support.email)
  expect(await countOf(other)).toBe(before + 1)
  expect(await countOf(support)).toBeUndefined()
  const find = () => other.call(findOrders, { status: 'waits-for-approval', q: order.id })
  expect(await find()).toMatchObject([{ id: order.id, waits: ['waits-for-approval'] }])
  await decide(other, waiting.id, false)
  expect(await find()).toEqual([])
  expect(await countOf(other)).toBe(before)
})

test('requires an approval to confirm the newest use of the goods since the request', async () => {
  const { buyer, order } = await bought({ codes: ['SEEN-MEANWHILE'], price: '600.00' })
  const [asker, other] = [await joinStaff(), await joinStaff()]
  const { id } = await ask(asker, order.id, LARGE)
  expect((await fileOf(other, order.id)).approval).toMatchObject({ used: [] })
  await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  await expect(decide(other, id)).rejects.toMatchObject({ status: 409, code: 'goods_used' })
  expect(await refundsOf(other, order.id)).toEqual([])
  const { used } = (await fileOf(other, order.id)).approval!
  expect(used).toMatchObject([{ title: 'A small book', kind: 'reveal' }])
  const stale = other.call(decideRefund, { id, isApproved: true, usedAt: new Date(0).toISOString() })
  await expect(stale).rejects.toMatchObject({ code: 'goods_used' })
  await other.call(decideRefund, { id, isApproved: true, usedAt: used[0]!.at })
  expect(await refundsOf(other, order.id)).toMatchObject([{ status: 'requested', amount: '600.00' }])
  expect(await actsOn(order.id)).toContainEqual(
    expect.objectContaining({ act: 'order.refunded', codes: 'seen by the customer' }),
  )
})

test('shows a download after the request to the approver, but a rejection needs no confirmation of it', async () => {
  const { buyer, order } = await bought({ price: '600.00' })
  const [asker, other] = [await joinStaff(), await joinStaff()]
  const { id } = await ask(asker, order.id, LARGE)
  const { url } = await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
  expect((await fetch(open.shop.url + url, { headers: { cookie: buyer.cookie } })).status).toBe(200)
  await expect(decide(other, id)).rejects.toMatchObject({ code: 'goods_used' })
  expect((await fileOf(other, order.id)).approval!.used).toMatchObject([{ kind: 'download' }])
  await decide(other, id, false)
  const again = await ask(asker, order.id, LARGE)
  expect((await fileOf(other, order.id)).approval).toMatchObject({ id: again.id, used: [] })
  await decide(other, again.id)
})

test('counts store credit that returns with the last of the money towards the limit', async () => {
  const { id: productId } = await addProduct(open.shop, { price: '600.00' })
  const [buyer, staff] = [await open.shop.join(), await joinStaff()]
  await give(open.shop, buyer, 590_00)
  await fillCart(buyer, productId, 1)
  const terms = { amount: '600.00', credit: '590.00', currency: 'USD', intent: 'capture' } as const
  const { id: paymentId, orderId } = await buyer.call(startPayment, terms)
  await provider(open.shop).approve(paymentId)
  await buyer.call(capturePayment, { id: paymentId })
  expect(await ask(staff, orderId, { amount: '9.00' })).toMatchObject({ status: 'requested' })
  expect(await ask(staff, orderId, { amount: '1.00', left: '1.00' })).toMatchObject({ status: 'waiting' })
})

test('does not let staff refund their own purchase or approve its refund', async () => {
  const [buyer, asker] = [await joinStaff(), await joinStaff()]
  const order = await buy(open.shop, buyer, await addProduct(open.shop, { price: '600.00' }))
  await expect(ask(buyer, order.id, LARGE)).rejects.toMatchObject({ status: 403, code: 'own_purchase' })
  const { id } = await ask(asker, order.id, LARGE)
  await expect(decide(buyer, id)).rejects.toMatchObject({ status: 403, code: 'own_purchase' })
})

test('requires approval when partial refunds together exceed the limit, and does not make a rejected one', async () => {
  const { order } = await bought({ price: '600.00' })
  const [asker, other] = [await joinStaff(), await joinStaff()]
  expect(await ask(asker, order.id, { ...LARGE, amount: '500.00' })).toMatchObject({ status: 'requested' })
  const rest = await ask(asker, order.id, { amount: '100.00', left: '100.00' })
  expect(rest).toMatchObject({ status: 'waiting' })
  await decide(other, rest.id, false)
  await expect(decide(other, rest.id)).rejects.toMatchObject({ code: 'decided' })
  expect((await refundsOf(other, order.id)).map(({ amount }) => amount)).toEqual(['500.00'])
})

test('requires a proof of the last ten minutes for a refund and for its approval', async () => {
  const { order } = await bought({ price: '600.00' })
  const [asker, other] = [await joinStaff(), await joinStaff()]
  const waiting = await ask(asker, order.id, LARGE)
  await open.shop.database.pool.query(`UPDATE sessions SET verified_at = now() - interval '11 minutes'`)
  const { order: second } = await bought({ price: '600.00' })
  for (const amount of ['5.00', '595.00'])
    await expect(ask(asker, second.id, { ...LARGE, amount })).rejects.toMatchObject({
      status: 403,
      code: 'step_up_required',
    })
  await expect(decide(other, waiting.id)).rejects.toMatchObject({ status: 403, code: 'step_up_required' })
})
