import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { inTransaction } from '../../kit/database.server.ts'
import {
  blockMessages,
  getMessages,
  getStaffMessages,
  listStaffThreads,
  MAX_OPEN_REPORTS,
  reportMessages,
  sendMessage,
  settleMessages,
} from './messages.contract.ts'
import { forgetMessagesOf, forgetOldReports } from './messages.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0' })
const db = () => open.shop.database.db

/** A buyer of one product of a seller. `id` is the line of the order. */
async function sold(seller: Person) {
  const buyer = await open.shop.join({ firstName: 'Bob' })
  const product = await addProduct(open.shop, { title: 'Night Trains' })
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  const order = await buy(open.shop, buyer, product)
  return { buyer, order, id: order.lines[0]!.id }
}

const write = (person: Person, id: string, text: string) =>
  person.call(sendMessage, { id, text, messageId: crypto.randomUUID() })
const report = (person: Person, id: string, note: string) => person.call(reportMessages, { id, note })
const reportedTo = (staff: Person) => staff.call(listStaffThreads, { show: 'reported' })
const mailsOf = async ({ email }: Person, subject: string) =>
  (
    await db()
      .selectFrom('mails')
      .select('bodyText')
      .where('recipient', '=', email)
      .where('subject', 'like', subject)
      .execute()
  ).map(({ bodyText }) => bodyText)
const erase = async ({ id }: Person) => {
  await sql`UPDATE users SET erased_at = now() WHERE id = ${id}::uuid`.execute(db())
  await inTransaction(db(), async (tx) => {
    // deletes what the schema marks as personal data, before the rooms forget theirs
    await sql`SELECT erase_belongings(${id}::uuid)`.execute(tx)
    await forgetMessagesOf(tx, id)
  })
}

test('a report ends the thread, reaches support by mail and is not shown to the other side', async () => {
  const [seller, support] = [await open.shop.join({ firstName: 'Sally' }), await open.shop.join({ role: 'support' })]
  const { buyer, order, id } = await sold(seller)
  await write(seller, id, 'Pay me outside of the shop.')
  expect(await report(buyer, id, 'Asks for money elsewhere')).toMatchObject({ isReported: true, closed: 'own' })
  expect(await seller.call(getMessages, { id })).toMatchObject({ isReported: false, closed: 'other' })
  const mails = await mailsOf(support, `A buyer reports messages: order ${order.id.slice(-8)}`)
  expect(mails).toHaveLength(1)
  expect(mails[0]).not.toContain('Asks for money elsewhere')
  const expected = [
    {
      ...{ buyer: { id: buyer.id }, seller: { id: seller.id }, endedBy: ['buyer'], isOwn: false },
      ...{ messages: 1, openReports: 1 },
    },
  ]
  const [thread] = await support.call(listStaffThreads, { orderId: order.id })
  expect([thread]).toMatchObject(expected)
  expect(await support.call(listStaffThreads, { memberId: seller.id })).toMatchObject(expected)
  expect(await support.call(listStaffThreads, { memberId: buyer.id })).toMatchObject(expected)
  expect(await reportedTo(support)).toMatchObject(expected)
  expect(await support.call(listStaffThreads, { memberId: support.id })).toEqual([])
  expect(await support.call(listStaffThreads, {})).toEqual([])
  const said = { author: 'seller', text: 'Pay me outside of the shop.' }
  expect(await support.call(getStaffMessages, { id: thread!.id })).toMatchObject({
    messages: [said],
    reports: [{ by: 'buyer', note: 'Asks for money elsewhere', closedAt: null, messages: [said] }],
  })
  for (const member of [buyer, seller]) {
    await expect(member.call(getStaffMessages, { id: thread!.id })).rejects.toMatchObject({ status: 403 })
    await expect(member.call(settleMessages, { id: thread!.id, isEnded: false })).rejects.toMatchObject({ status: 403 })
  }
})

test('the reports of both sides stay, and each report mails support', async () => {
  const [seller, support] = [await open.shop.join(), await open.shop.join({ role: 'support' })]
  const { buyer, order, id } = await sold(seller)
  await write(seller, id, 'Pay me outside of the shop.')
  await report(buyer, id, 'Asks for money elsewhere')
  await report(seller, id, 'x')
  await report(buyer, id, 'And insults me')
  const [thread] = await support.call(listStaffThreads, { orderId: order.id })
  const { reports } = await support.call(getStaffMessages, { id: thread!.id })
  expect(reports.map(({ by, note }) => [by, note])).toEqual([
    ['buyer', 'Asks for money elsewhere'],
    ['seller', 'x'],
    ['buyer', 'And insults me'],
  ])
  for (const side of [buyer, seller]) expect(await side.call(getMessages, { id })).toMatchObject({ isReported: true })
  expect(await mailsOf(support, `%reports messages: order ${order.id.slice(-8)}`)).toHaveLength(3)
  for (let i = 2; i < MAX_OPEN_REPORTS; i++) await report(buyer, id, 'Again')
  await expect(report(buyer, id, 'Again')).rejects.toMatchObject({ status: 409, code: 'many_reports' })
})

test('support closes a report, the reporter gets a mail, and another report can follow', async () => {
  const [seller, support] = [await open.shop.join(), await open.shop.join({ role: 'support' })]
  const { buyer, id } = await sold(seller)
  await write(seller, id, 'Pay me outside of the shop.')
  await report(buyer, id, 'Asks for money elsewhere')
  const { id: threadId } = (await reportedTo(support)).find((one) => one.buyer.id === buyer.id)!
  await support.call(settleMessages, { id: threadId, isEnded: false })
  expect((await reportedTo(support)).map((one) => one.id)).not.toContain(threadId)
  expect(await buyer.call(getMessages, { id })).toMatchObject({ isReported: false, closed: 'own' })
  expect(await mailsOf(buyer, 'We read the messages%')).toHaveLength(1)
  await report(buyer, id, 'Asks again')
  expect((await reportedTo(support)).map((one) => one.id)).toContain(threadId)
})

test('after support ends a thread, neither side can reopen it or use one in the other direction', async () => {
  const [seller, support] = [await open.shop.join(), await open.shop.join({ role: 'support' })]
  const { buyer, order, id } = await sold(seller)
  const other = await buy(open.shop, seller, await addProduct(open.shop, { title: 'Salt' }))
  const otherLine = other.lines[0]!.id
  await sql`UPDATE earnings SET seller_id = ${buyer.id}::uuid WHERE order_line_id = ${otherLine}::uuid`.execute(db())
  await write(seller, id, 'Pay me outside of the shop.')
  const [thread] = await support.call(listStaffThreads, { orderId: order.id })
  await support.call(settleMessages, { id: thread!.id, isEnded: true })
  for (const side of [buyer, seller])
    for (const line of [id, otherLine]) {
      expect(await side.call(blockMessages, { id: line, isBlocked: false })).toMatchObject({ closed: 'staff' })
      await expect(write(side, line, 'Hello')).rejects.toMatchObject({ status: 409, code: 'blocked' })
    }
  const acts = await db().selectFrom('audit').select(['act', 'actorId']).where('subjectId', '=', thread!.id).execute()
  expect(acts).toEqual([{ act: 'messages.ended', actorId: support.id }])
  await support.call(settleMessages, { id: thread!.id, isEnded: false })
  expect((await write(buyer, id, 'Hello')).messages).toHaveLength(2)
})

test('a member of staff does not see the reports of their own messages and does not decide about them', async () => {
  const [sally, support] = [await open.shop.join({ role: 'support' }), await open.shop.join({ role: 'support' })]
  const { buyer, order, id } = await sold(sally)
  await write(sally, id, 'Pay me outside of the shop.')
  await report(buyer, id, 'Asks for money elsewhere')
  expect(await mailsOf(sally, '%reports messages%')).toEqual([])
  expect((await mailsOf(support, `%${order.id.slice(-8)}`)).length).toBe(1)
  const [own] = await sally.call(listStaffThreads, { orderId: order.id })
  expect(own).toMatchObject({ isOwn: true, openReports: 0 })
  expect((await reportedTo(sally)).map((one) => one.id)).not.toContain(own!.id)
  expect(await sally.call(getStaffMessages, { id: own!.id })).toMatchObject({ reports: [] })
  await expect(sally.call(settleMessages, { id: own!.id, isEnded: false })).rejects.toMatchObject({ code: 'own' })
  expect((await reportedTo(support)).map((one) => one.id)).toContain(own!.id)
})

test('the audit log records who reads a thread without an open report', async () => {
  const [seller, support] = [await open.shop.join(), await open.shop.join({ role: 'support' })]
  const { buyer, order, id } = await sold(seller)
  await write(seller, id, 'Thank you.')
  const [thread] = await support.call(listStaffThreads, { orderId: order.id })
  const reads = async () =>
    (await db().selectFrom('audit').select('id').where('subjectId', '=', thread!.id).execute()).length
  expect(await reads()).toBe(0)
  await support.call(getStaffMessages, { id: thread!.id })
  expect(await reads()).toBe(1)
  await report(buyer, id, 'Rude')
  await support.call(getStaffMessages, { id: thread!.id })
  expect(await reads()).toBe(1)
})

test('a report retains the messages of an erased account until 90 days after its closing', async () => {
  const [seller, support] = [await open.shop.join(), await open.shop.join({ role: 'support' })]
  const { buyer, order, id } = await sold(seller)
  await write(seller, id, 'Pay me outside of the shop.')
  await report(buyer, id, 'Asks for money elsewhere')
  const [thread] = await support.call(listStaffThreads, { orderId: order.id })
  for (const side of [seller, buyer]) await erase(side)
  const read = () => support.call(getStaffMessages, { id: thread!.id })
  expect(await read()).toMatchObject({
    messages: [],
    reports: [
      { note: 'Asks for money elsewhere', messages: [{ author: 'seller', text: 'Pay me outside of the shop.' }] },
    ],
  })
  await support.call(settleMessages, { id: thread!.id, isEnded: true })
  const closeBefore = (days: number) =>
    sql`UPDATE thread_reports SET closed_at = now() - ${days}::int * interval '1 day' WHERE thread_id = ${thread!.id}::uuid`.execute(
      db(),
    )
  await closeBefore(89)
  await forgetOldReports(db())
  expect((await read()).reports).toHaveLength(1)
  await closeBefore(91)
  await forgetOldReports(db())
  await expect(read()).rejects.toMatchObject({ status: 404 })
})
