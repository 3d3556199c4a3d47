import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { wrongBooks } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { mailedText } from '../../../test/mail.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import {
  answerCase,
  decideCase,
  listCases,
  listOwnCases,
  reportCode,
  revealCase,
  revealCaseAsStaff,
} from '../../delivery/cases/cases.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { claimGift, giveCopies } from '../../delivery/gifts/gifts.contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { getSale } from '../../selling/sales/sales.contract.ts'
import { failRefund } from '../../payments/refunds.store.server.ts'
import { refundOrder } from '../refunds/refund.server.ts'
import { caseJobs } from './cases.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', DATABASE_POOL: '25', CODE_CASE_HOURS: '24' })
const db = () => open.shop.database.db
const codesOf = (count: number) => Array.from({ length: count }, () => `CANARY-${crypto.randomUUID()}`)

async function sold({ stock = 3, quantity = 1, price = '10.00' } = {}) {
  const codes = codesOf(stock)
  const [buyer, seller] = [await open.shop.join({ firstName: 'Ada' }), await open.shop.join({ firstName: 'Sally' })]
  const product = await addProduct(open.shop, { codes, price })
  await db().updateTable('products').set({ sellerId: seller.id }).where('id', '=', product.id).execute()
  const order = await buyMany(open.shop, buyer, [{ product, quantity }])
  const line = { id: order.id, lineId: order.lines[0]!.id }
  const { codes: seen } = await buyer.call(revealCodes, line)
  return { buyer, seller, product, order, line, seen, codes }
}
type Sold = Awaited<ReturnType<typeof sold>>

const report = ({ buyer, line, seen }: Sold, at = 0) =>
  buyer.call(reportCode, { ...line, codeId: seen[at]!.id, reason: 'invalid', note: 'The till refused it.' })
const ownCase = async (seller: Person) => (await seller.call(listOwnCases, { queue: 'open' })).cases[0]!
const runJob = () => (caseJobs(open.shop.checkout)[0]!.run as () => Promise<void>)()
const escalate = async (id: string) => {
  await sql`UPDATE code_cases SET answer_by = now() - interval '1 second' WHERE id = ${id}::uuid`.execute(db())
  await runJob()
}
const codesAt = async (person: Person, line: { id: string; lineId: string }) =>
  (await person.call(revealCodes, line)).codes.map(({ code }) => code)
const refused = (status: number, code?: string) => ({ status, ...(code && { code }) })

test('shows a seller the last digits of a reported code, and the full code on request with an audit entry', async () => {
  const one = await sold()
  await report(one)
  const { id, mask } = await ownCase(one.seller)
  expect(mask).toBe(`•••• ${one.seen[0]!.code.slice(-4)}`)
  const staff = await open.shop.join({ role: 'finance' })
  await expect(one.buyer.call(revealCase, { id })).rejects.toMatchObject(refused(404))
  // staff cannot decide while the report waits for the seller
  await expect(staff.call(revealCaseAsStaff, { id })).rejects.toMatchObject(refused(404))
  expect(await one.seller.call(revealCase, { id })).toEqual({ code: one.seen[0]!.code, pin: '', serial: '' })
  await escalate(id)
  expect(await staff.call(revealCaseAsStaff, { id })).toMatchObject({ code: one.seen[0]!.code })
  const acts = await db()
    .selectFrom('audit')
    .select(['act', 'actorId'])
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute()
  expect(acts).toEqual([one.seller, staff].map((person) => ({ act: 'report.code_revealed', actorId: person.id })))
})

test('lets the seller replace a bad code with the next one in stock, visible to its buyer only', async () => {
  const one = await sold()
  const { buyer, seller, line, seen, codes } = one
  expect(await report(one)).toMatchObject({ state: 'seller' })
  await expect(report(one)).rejects.toMatchObject(refused(409, 'reported'))
  const found = await ownCase(seller)
  expect(found).toMatchObject({ reason: 'invalid', note: 'The till refused it.', canReplace: true, state: 'seller' })
  expect(JSON.stringify(found)).not.toContain('CANARY')
  const hours = (Date.parse(found.answerBy) - Date.parse(found.openedAt)) / 3600_000
  expect(Math.round(hours)).toBe(24)
  // staff cannot decide while the report waits for the seller, and sellers cannot decide cases of others
  const staff = await open.shop.join({ role: 'finance' })
  await expect(staff.call(decideCase, { id: found.id, act: 'refund' })).rejects.toMatchObject(refused(404))
  await expect(buyer.call(answerCase, { id: found.id, act: 'refund' })).rejects.toMatchObject(refused(404))
  expect(await seller.call(answerCase, { id: found.id, act: 'replace', words: 'Sorry!' })).toMatchObject({
    state: 'replaced',
  })
  await expect(seller.call(answerCase, { id: found.id, act: 'refund' })).rejects.toMatchObject(refused(409, 'decided'))
  const now = await codesAt(buyer, line)
  expect(now).toEqual([codes[1]])
  expect(now).not.toContain(seen[0]!.code)
  expect(await buyer.call(getOrder, { id: line.id })).toMatchObject({
    lines: [{ delivery: { count: 1, reports: [{ state: 'replaced', words: 'Sorry!' }] } }],
  })
  for (const person of [buyer, seller]) expect(await mailedText(open.shop, person.email)).not.toContain('CANARY')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('shows with a case its sale and how often its owner saw the code', async () => {
  const one = await sold()
  const { buyer, seller, line, seen } = one
  await report(one)
  const found = await ownCase(seller)
  expect(found).toMatchObject({ saleId: line.lineId, reveals: { count: 1 }, isGift: false })
  expect(await seller.call(getSale, { id: found.saleId })).toMatchObject({ quantity: 1, kind: 'code' })
  expect(found.reveals.firstAt).toBe(found.reveals.lastAt)
  await buyer.call(revealCodes, line)
  const again = (await ownCase(seller)).reveals
  expect(again).toMatchObject({ count: 2, firstAt: found.reveals.firstAt })
  expect(Date.parse(again.lastAt!)).toBeGreaterThan(Date.parse(again.firstAt!))
  // a reveal of the replacement is no reveal of the reported code
  await seller.call(answerCase, { id: found.id, act: 'replace' })
  expect(await codesAt(buyer, line)).not.toContain(seen[0]!.code)
  const { cases } = await seller.call(listOwnCases, { queue: 'ended' })
  expect(cases[0]).toMatchObject({ id: found.id, reveals: again })
})

test('lets the seller refund the reported code only', async () => {
  const one = await sold({ quantity: 2 })
  const { buyer, seller, line, seen } = one
  // reports the older code: a refund without a case revokes the newest
  await report(one)
  await seller.call(answerCase, { id: (await ownCase(seller)).id, act: 'refund' })
  await runRefunds(open.shop)
  expect(await codesAt(buyer, line)).toEqual([seen[1]!.code])
  expect(await buyer.call(getOrder, { id: line.id })).toMatchObject({
    status: 'completed',
    refunds: [{ amount: '10.00' }],
    lines: [{ refunded: 1 }],
  })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('returns a case to staff when its refund fails, and closes it when the refund succeeds', async () => {
  const one = await sold()
  const { buyer, seller, line } = one
  await report(one)
  const { id } = await ownCase(seller)
  expect(await seller.call(answerCase, { id, act: 'refund', words: 'Sorry!' })).toMatchObject({ state: 'refunding' })
  const refundOf = () => db().selectFrom('codeCases').select(['refundId', 'state']).where('id', '=', id)
  const { refundId } = await refundOf().executeTakeFirstOrThrow()
  await runJob()
  expect((await refundOf().executeTakeFirstOrThrow()).state).toBe('refunding')
  const staff = await open.shop.join({ role: 'finance' })
  await expect(staff.call(decideCase, { id, act: 'refund' })).rejects.toMatchObject(refused(409, 'decided'))
  await failRefund(db(), refundId!, 'REFUND_FAILED_INSUFFICIENT_FUNDS')
  await runJob()
  const { cases } = await staff.call(listCases, { queue: 'open' })
  expect(cases.find((found) => found.id === id)).toMatchObject({
    state: 'staff',
    isRefundFailed: true,
    decidedAt: null,
  })
  expect(await mailedText(open.shop, staff.email, 'The refund of a bad code failed: “A small book”')).toContain(
    '/admin/code-cases',
  )
  expect(await mailedText(open.shop, buyer.email, 'The refund of your code of “A small book” was not made')).toContain(
    'look at your report again',
  )
  // the buyer still has the code
  expect(await codesAt(buyer, line)).toHaveLength(1)
  await staff.call(decideCase, { id, act: 'refund' })
  await runRefunds(open.shop)
  await runJob()
  expect(await refundOf().executeTakeFirstOrThrow()).toMatchObject({ state: 'refunded' })
  await expect(buyer.call(revealCodes, line)).rejects.toMatchObject(refused(404))
  expect(await wrongBooks(open.shop)).toEqual([])

  // the provider completes a refund that it rejected first
  const late = await sold()
  await report(late)
  const lateId = (await ownCase(late.seller)).id
  await late.seller.call(answerCase, { id: lateId, act: 'refund' })
  const found = () => db().selectFrom('codeCases').selectAll().where('id', '=', lateId).executeTakeFirstOrThrow()
  const lateRefund = (await found()).refundId!
  await failRefund(db(), lateRefund, 'REFUND_FAILED_INSUFFICIENT_FUNDS')
  await runJob()
  expect((await found()).state).toBe('staff')
  await sql`UPDATE refunds SET status = 'requested', refusal = NULL WHERE id = ${lateRefund}::uuid`.execute(db())
  await runRefunds(open.shop)
  await runJob()
  expect(await found()).toMatchObject({ state: 'refunded', decidedAt: expect.any(Date) as unknown })
})

test('notifies staff of cases that the seller declines or ignores, and lets staff decide', async () => {
  const [declined, left] = [await sold(), await sold({ stock: 1 })]
  const staff = await open.shop.join({ role: 'finance' })
  await report(declined)
  const first = await ownCase(declined.seller)
  await expect(declined.seller.call(answerCase, { id: first.id, act: 'decline' })).rejects.toMatchObject(refused(400))
  await declined.seller.call(answerCase, { id: first.id, act: 'decline', words: 'It worked here.' })
  await report(left)
  const second = await ownCase(left.seller)
  await runJob()
  expect((await ownCase(left.seller)).state).toBe('seller')
  await escalate(second.id)
  await expect(left.seller.call(answerCase, { id: second.id, act: 'refund' })).rejects.toMatchObject(
    refused(409, 'decided'),
  )
  const { cases } = await staff.call(listCases, { queue: 'open' })
  expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, second.id]))
  expect(JSON.stringify(cases)).not.toContain('CANARY')
  expect(await mailedText(open.shop, staff.email)).toContain('did not answer')
  const support = await open.shop.join({ role: 'support' })
  for (const person of [declined.buyer, support])
    await expect(person.call(decideCase, { id: second.id, act: 'refund' })).rejects.toMatchObject(refused(403))
  // the stock is empty
  await expect(staff.call(decideCase, { id: second.id, act: 'replace' })).rejects.toMatchObject(
    refused(409, 'out_of_stock'),
  )
  await staff.call(decideCase, { id: second.id, act: 'refund' })
  await staff.call(decideCase, { id: first.id, act: 'reject', words: 'It was spent in a shop.' })
  await expect(staff.call(decideCase, { id: first.id, act: 'refund' })).rejects.toMatchObject(refused(409, 'decided'))
  await runRefunds(open.shop)
  await expect(left.buyer.call(revealCodes, left.line)).rejects.toMatchObject(refused(404))
  expect(await codesAt(declined.buyer, declined.line)).toHaveLength(1)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('sends a refund that needs a second member of staff to staff, with a link to the refund', async () => {
  const one = await sold({ price: '900.00' })
  await report(one)
  const { id } = await ownCase(one.seller)
  expect(await one.seller.call(answerCase, { id, act: 'refund' })).toMatchObject({
    state: 'staff',
    sellerWords: 'The seller agrees to a refund.',
  })
  const staff = await open.shop.join({ role: 'finance' })
  await expect(staff.call(decideCase, { id, act: 'refund' })).rejects.toThrow('Ask for it on the page of the order')
  expect(await staff.call(decideCase, { id, act: 'replace' })).toMatchObject({ state: 'replaced' })
})

test('accepts a report of a revealed code from its holder only, once at a time and not after a refund', async () => {
  const one = await sold({ quantity: 2 })
  const { buyer, line, seen, order } = one
  const codeId = seen[0]!.id
  const other = await open.shop.join()
  await expect(other.call(reportCode, { ...line, codeId, reason: 'used' })).rejects.toMatchObject(refused(404))
  await expect(buyer.call(reportCode, { ...line, codeId: crypto.randomUUID(), reason: 'used' })).rejects.toMatchObject(
    refused(404),
  )
  const tries = await Promise.allSettled(Array.from({ length: 4 }, () => report(one)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await refundOrder(open.shop.checkout, order.id, 'asked for', undefined, { isCodeSeen: true })
  await expect(report(one, 1)).rejects.toMatchObject(refused(409, 'refund_under_way'))
  await runRefunds(open.shop)
  // the case closes because its code was refunded
  await runJob()
  const { cases } = await one.seller.call(listOwnCases, { queue: 'ended' })
  expect(cases).toMatchObject([{ state: 'over' }])
  // a code that was never revealed cannot be reported
  const unseen = await sold()
  const again = await buyMany(open.shop, unseen.buyer, [{ product: unseen.product, quantity: 1 }])
  const { rows } = await sql<{
    id: string
  }>`SELECT id FROM codes WHERE order_line_id = ${again.lines[0]!.id}::uuid`.execute(db())
  await expect(
    unseen.buyer.call(reportCode, { id: again.id, lineId: again.lines[0]!.id, codeId: rows[0]!.id, reason: 'used' }),
  ).rejects.toMatchObject(refused(404))
})

test('applies one of two concurrent decisions: a replacement or a refund', async () => {
  for (let round = 0; round < 4; round++) {
    const one = await sold()
    await report(one)
    const { id } = await ownCase(one.seller)
    const both = await Promise.allSettled([
      one.seller.call(answerCase, { id, act: 'replace' }),
      one.seller.call(answerCase, { id, act: 'refund' }),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
  await runRefunds(open.shop)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('lets the recipient report a bad code of a gift, and refunds the giver', async () => {
  const friend = await open.shop.join()
  const product = await addProduct(open.shop, { codes: codesOf(3) })
  const buyer = await open.shop.join()
  const order = await buyMany(open.shop, buyer, [{ product, quantity: 2 }])
  const line = { id: order.id, lineId: order.lines[0]!.id }
  const { link } = await buyer.call(giveCopies, { ...line, quantity: 1 })
  const { orderId } = await friend.call(claimGift, { token: link.split('/gift/')[1]! })
  const { lines } = await friend.call(getOrder, { id: orderId })
  const own = { id: orderId, lineId: lines[0]!.id }
  const { codes } = await friend.call(revealCodes, own)
  await friend.call(reportCode, { ...own, codeId: codes[0]!.id, reason: 'used' })
  const found = await db()
    .selectFrom('codeCases')
    .select(['id', 'orderLineId'])
    .where('userId', '=', friend.id)
    .executeTakeFirstOrThrow()
  expect(found.orderLineId).toBe(line.lineId)
  await escalate(found.id)
  const staff = await open.shop.join({ role: 'finance' })
  const decided = await staff.call(decideCase, { id: found.id, act: 'refund' })
  expect(decided).toMatchObject({ isGift: true, saleId: line.lineId, reveals: { count: 1 } })
  await runRefunds(open.shop)
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({ refunds: [{ amount: '10.00' }] })
  await expect(friend.call(revealCodes, own)).rejects.toMatchObject(refused(404))
  // the giver's own code does not change
  expect(await codesAt(buyer, line)).toHaveLength(1)
  expect(await wrongBooks(open.shop)).toEqual([])
})
