import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { getOverview } from '../overview/overview.contract.ts'
import {
  blockMessages,
  getMessages,
  listOrderSellers,
  listStaffThreads,
  markMessagesRead,
  MAX_UNANSWERED,
  reportMessages,
  sendMessage,
} from './messages.contract.ts'
import { forgetMessagesOf } from './messages.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0' })
const db = () => open.shop.database.db

async function list(seller: Person, title: string) {
  const product = await addProduct(open.shop, { title })
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}

/** A buyer of one product of a seller. `id` is the line of the order. */
async function sold() {
  const [seller, buyer] = [await open.shop.join({ firstName: 'Sally' }), await open.shop.join({ firstName: 'Bob' })]
  const order = await buy(open.shop, buyer, await list(seller, 'Night Trains'))
  return { seller, buyer, order, id: order.lines[0]!.id }
}

const write = (person: Person, id: string, text: string, messageId = crypto.randomUUID()) =>
  person.call(sendMessage, { id, text, messageId })
const mailsTo = async ({ email }: Person) => {
  const mails = db().selectFrom('mails').select(['subject']).where('recipient', '=', email)
  return (await mails.where('subject', 'like', '%wrote to you%').execute()).map(({ subject }) => subject)
}

test('a buyer and a seller share one thread about all sales between them', async () => {
  const { seller, buyer, order, id } = await sold()
  const other = await buy(open.shop, buyer, await list(seller, 'Rain on Canvas'))
  expect(await seller.call(getMessages, { id })).toMatchObject({ side: 'seller', messages: [], canWrite: true })
  await write(buyer, id, 'Is the FLAC longer?')
  await write(seller, other.lines[0]!.id, 'It is the same recording.')
  const seen = await buyer.call(getMessages, { id })
  expect(seen.messages.map(({ author, text, title }) => [author, text, title])).toEqual([
    ['buyer', 'Is the FLAC longer?', 'Night Trains'],
    ['seller', 'It is the same recording.', 'Rain on Canvas'],
  ])
  expect(seen.name).toContain('Sally')
  expect(JSON.stringify(seen)).not.toContain('@')
  expect(await buyer.call(listOrderSellers, { id: order.id })).toMatchObject([
    { lineId: id, titles: ['Night Trains'], messages: 2, isUnread: true },
  ])
})

test('only the two sides of a sale read and write, and nobody writes to themselves', async () => {
  const { seller, buyer, order, id } = await sold()
  const [eve, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  for (const stranger of [eve, staff]) {
    await expect(stranger.call(getMessages, { id })).rejects.toMatchObject({ status: 404 })
    await expect(write(stranger, id, 'Hello')).rejects.toMatchObject({ status: 404 })
    await expect(stranger.call(blockMessages, { id, isBlocked: true })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.call(reportMessages, { id, note: 'x' })).rejects.toMatchObject({ status: 404 })
    expect(await stranger.call(listOrderSellers, { id: order.id })).toEqual([])
  }
  const own = await buy(open.shop, seller, await list(seller, 'Own'))
  await expect(write(seller, own.lines[0]!.id, 'Hello')).rejects.toMatchObject({ status: 404 })
  expect(await seller.call(listOrderSellers, { id: own.id })).toEqual([])
  await write(buyer, id, 'Hello')
  for (const member of [buyer, seller, eve])
    await expect(member.call(listStaffThreads, { orderId: order.id })).rejects.toMatchObject({ status: 403 })
})

test('a repeated call sends one message, and one mail announces unread messages', async () => {
  const { seller, buyer, id } = await sold()
  const messageId = crypto.randomUUID()
  await write(buyer, id, 'Is it long?', messageId)
  await write(buyer, id, 'Is it long?', messageId)
  await write(buyer, id, 'And is it loud?')
  expect((await seller.call(getMessages, { id })).messages).toHaveLength(2)
  expect(await mailsTo(seller)).toEqual(['A buyer wrote to you about “Night Trains”'])
  expect((await seller.call(getOverview, {})).waiting).toMatchObject([{ kind: 'message', id, title: 'Night Trains' }])
  await seller.call(markMessagesRead, { id })
  expect(await seller.call(getMessages, { id })).toMatchObject({ isUnread: false })
  expect((await seller.call(getOverview, {})).waiting).toEqual([])
  await write(buyer, id, 'Hello?')
  expect(await mailsTo(seller)).toHaveLength(2)
  await write(seller, id, 'It is.')
  expect(await mailsTo(buyer)).toEqual(['The seller wrote to you about “Night Trains”'])
})

test('a side waits for an answer after five messages', async () => {
  const { seller, buyer, id } = await sold()
  for (let i = 0; i < MAX_UNANSWERED; i++) await write(seller, id, `Offer ${i}`)
  await expect(write(seller, id, 'One more')).rejects.toMatchObject({ status: 409, code: 'unanswered' })
  await write(buyer, id, 'Please stop.')
  await write(seller, id, 'Of course.')
  expect((await buyer.call(getMessages, { id })).messages).toHaveLength(MAX_UNANSWERED + 2)
})

test('either side ends a thread, and only that side opens it again', async () => {
  const { seller, buyer, id } = await sold()
  await write(seller, id, 'Buy more!')
  expect(await buyer.call(blockMessages, { id, isBlocked: true })).toMatchObject({
    blockedBy: 'buyer',
    canWrite: false,
  })
  for (const side of [buyer, seller])
    await expect(write(side, id, 'Hello')).rejects.toMatchObject({ status: 409, code: 'blocked' })
  await seller.call(blockMessages, { id, isBlocked: false })
  expect(await seller.call(getMessages, { id })).toMatchObject({ blockedBy: 'buyer' })
  await buyer.call(blockMessages, { id, isBlocked: false })
  expect((await write(seller, id, 'Thank you.')).messages).toHaveLength(2)
})

test('a report ends the thread, reaches support by mail and is not shown to the other side', async () => {
  const { seller, buyer, order, id } = await sold()
  const support = await open.shop.join({ role: 'support' })
  await write(seller, id, 'Pay me outside of the shop.')
  expect(await buyer.call(reportMessages, { id, note: 'Asks for money elsewhere' })).toMatchObject({
    ...{ isReported: true, blockedBy: 'buyer', canWrite: false },
  })
  expect(await seller.call(getMessages, { id })).toMatchObject({ isReported: false })
  const mails = await db().selectFrom('mails').select('subject').where('recipient', '=', support.email).execute()
  expect(mails).toContainEqual({ subject: `A buyer reports messages: order ${order.id.slice(-8)}` })
  const expected = [
    {
      buyer: { id: buyer.id },
      seller: { id: seller.id },
      blockedBy: 'buyer',
      report: { by: 'buyer', note: 'Asks for money elsewhere' },
      messages: [{ author: 'seller', text: 'Pay me outside of the shop.' }],
    },
  ]
  expect(await support.call(listStaffThreads, { orderId: order.id })).toMatchObject(expected)
  expect(await support.call(listStaffThreads, { memberId: seller.id })).toMatchObject(expected)
  expect(await support.call(listStaffThreads, { memberId: support.id })).toEqual([])
  expect(await support.call(listStaffThreads, {})).toEqual([])
})

test('an order of two sellers has a thread with each', async () => {
  const [ada, bob, buyer] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const goods = [await list(ada, 'Salt'), await list(ada, 'Time'), await list(bob, 'Glass')]
  const order = await buyMany(
    open.shop,
    buyer,
    goods.map((product) => ({ product })),
  )
  const sellers = await buyer.call(listOrderSellers, { id: order.id })
  expect(sellers.map(({ titles }) => titles.toSorted()).toSorted((a, b) => b.length - a.length)).toEqual([
    ['Salt', 'Time'],
    ['Glass'],
  ])
  await write(buyer, sellers.find(({ titles }) => titles.includes('Glass'))!.lineId, 'Hello')
  expect((await ada.call(getOverview, {})).waiting).toEqual([])
  expect((await bob.call(getOverview, {})).waiting).toHaveLength(1)
})

test('the erasure of an account deletes its messages, and the other side sees those that are left', async () => {
  const { seller, buyer, id } = await sold()
  await write(buyer, id, 'My private words')
  await write(seller, id, 'I see.')
  await inTransaction(db(), (tx) => forgetMessagesOf(tx, buyer.id))
  expect((await seller.call(getMessages, { id })).messages.map(({ text }) => text)).toEqual(['I see.'])
  await inTransaction(db(), (tx) => forgetMessagesOf(tx, seller.id))
  expect(await db().selectFrom('messageThreads').select('id').where('buyerId', '=', buyer.id).execute()).toEqual([])
})
