import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { setMails } from '../../identity/accounts/account.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { getOverview } from '../overview/overview.contract.ts'
import {
  blockMessages,
  getMessages,
  listOrderSellers,
  listStaffThreads,
  markMessagesRead,
  MAX_STARTED,
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
const newestOf = async (person: Person, id: string) => (await person.call(getMessages, { id })).messages.at(-1)!.id
const erase = async ({ id }: Person) => {
  await sql`UPDATE users SET erased_at = now() WHERE id = ${id}::uuid`.execute(db())
  await inTransaction(db(), async (tx) => {
    // deletes what the schema marks as personal data, before the rooms forget theirs
    await sql`SELECT erase_belongings(${id}::uuid)`.execute(tx)
    await forgetMessagesOf(tx, id)
  })
}
const mailsTo = async ({ email }: Person) => {
  const mails = db().selectFrom('mails').select(['subject']).where('recipient', '=', email)
  return (await mails.where('subject', 'like', '%wrote to you%').execute()).map(({ subject }) => subject)
}

test('a buyer and a seller share one thread about all sales between them', async () => {
  const { seller, buyer, order, id } = await sold()
  const other = await buy(open.shop, buyer, await list(seller, 'Rain on Canvas'))
  expect(await seller.call(getMessages, { id })).toMatchObject({ side: 'seller', messages: [], closed: null })
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
  await seller.call(markMessagesRead, { id, messageId: await newestOf(seller, id) })
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

test('each side can end a thread, and can undo only its own end', async () => {
  const { seller, buyer, id } = await sold()
  const end = (person: Person, isBlocked: boolean) => person.call(blockMessages, { id, isBlocked })
  await write(seller, id, 'Buy more!')
  expect(await end(seller, true)).toMatchObject({ closed: 'own' })
  expect(await buyer.call(getMessages, { id })).toMatchObject({ closed: 'other' })
  expect(await buyer.call(reportMessages, { id, note: 'Rude' })).toMatchObject({ closed: 'own', isReported: true })
  expect(await end(seller, false)).toMatchObject({ closed: 'other' })
  for (const side of [buyer, seller])
    await expect(write(side, id, 'Hello')).rejects.toMatchObject({ status: 409, code: 'blocked' })
  expect(await end(buyer, false)).toMatchObject({ closed: null })
  expect((await write(seller, id, 'Thank you.')).messages).toHaveLength(2)
})

test('the end of a thread also covers sales in the other direction between the two members', async () => {
  const { seller, buyer, id } = await sold()
  const other = await buy(open.shop, seller, await list(buyer, 'Salt'))
  await buyer.call(blockMessages, { id, isBlocked: true })
  const lineId = other.lines[0]!.id
  await expect(write(seller, lineId, 'Hello')).rejects.toMatchObject({ status: 409, code: 'blocked' })
  expect(await buyer.call(getMessages, { id: lineId })).toMatchObject({ side: 'seller', closed: 'own' })
  await buyer.call(blockMessages, { id: lineId, isBlocked: false })
  expect((await write(seller, lineId, 'Hello')).messages).toHaveLength(1)
})

test('rejects a message with the id of another message, but not a repeat after the end of the thread', async () => {
  const { seller, buyer, id } = await sold()
  const messageId = crypto.randomUUID()
  await write(buyer, id, 'Is it long?', messageId)
  for (const [person, text] of [
    [buyer, 'Is it long? Please hurry.'],
    [seller, 'Is it long?'],
  ] as const)
    await expect(write(person, id, text, messageId)).rejects.toMatchObject({ status: 409, code: 'reused' })
  const next = await sold()
  await expect(write(next.buyer, next.id, 'Is it long?', messageId)).rejects.toMatchObject({ code: 'reused' })
  await seller.call(blockMessages, { id, isBlocked: true })
  expect((await write(buyer, id, 'Is it long?', messageId)).messages).toHaveLength(1)
})

test('a message that arrives after the view stays unread', async () => {
  const { seller, buyer, id } = await sold()
  await write(buyer, id, 'Is it long?')
  const messageId = await newestOf(seller, id)
  await write(buyer, id, 'And is it loud?')
  await seller.call(markMessagesRead, { id, messageId })
  expect(await seller.call(getMessages, { id })).toMatchObject({ isUnread: true })
  expect((await seller.call(getOverview, {})).waiting).toMatchObject([{ kind: 'message', id }])
  await seller.call(markMessagesRead, { id, messageId: await newestOf(seller, id) })
  expect(await seller.call(getMessages, { id })).toMatchObject({ isUnread: false })
})

test('the mail and the push message about a message do not contain its text', async () => {
  const { seller, buyer, id } = await sold()
  await write(seller, id, 'Your payment failed. Confirm your card at https://primo-verify.example')
  const mail = await db()
    .selectFrom('mails')
    .select(['bodyText', 'bodyHtml', 'unsubscribeUrl'])
    .where('recipient', '=', buyer.email)
    .where('subject', 'like', '%wrote to you%')
    .executeTakeFirstOrThrow()
  expect(`${mail.bodyText}${mail.bodyHtml}`).not.toMatch(/primo-verify|payment failed/)
  expect(mail.bodyText).toContain('The message is not from us')
  expect(mail.unsubscribeUrl).toContain('list=messages')
})

test('sends no mail about messages to a member who turned these mails off', async () => {
  const { seller, buyer, id } = await sold()
  await write(seller, id, 'Thank you for buying.')
  const link = await db()
    .selectFrom('mails')
    .select('unsubscribeUrl')
    .where('recipient', '=', buyer.email)
    .where('subject', 'like', '%wrote to you%')
    .executeTakeFirstOrThrow()
  expect((await fetch(link.unsubscribeUrl!, { method: 'POST' })).status).toBe(200)
  await write(buyer, id, 'It is good.')
  await write(seller, id, 'I am glad.')
  expect(await mailsTo(buyer)).toHaveLength(1)
  await buyer.call(setMails, { wantsMessages: true })
  await write(buyer, id, 'Is there another?')
  await write(seller, id, 'Yes.')
  expect(await mailsTo(buyer)).toHaveLength(2)
})

test('a suspended seller does not write to buyers', async () => {
  const { seller, buyer, id } = await sold()
  await write(buyer, id, 'Is it long?')
  await sql`INSERT INTO suspensions (seller_id, reason, made_by) VALUES (${seller.id}::uuid, 'Spam', ${seller.id}::uuid)`.execute(
    db(),
  )
  await expect(write(seller, id, 'Buy it elsewhere.')).rejects.toMatchObject({ status: 409, code: 'suspended' })
  expect(await seller.call(getMessages, { id })).toMatchObject({ closed: 'suspended' })
  expect((await write(buyer, id, 'Hello?')).messages).toHaveLength(2)
})

test('only the buyer can write first about a free sale', async () => {
  const { seller, buyer, id } = await sold()
  await sql`UPDATE earnings SET gross_cents = 0, fee_cents = 0 WHERE order_line_id = ${id}::uuid`.execute(db())
  await expect(write(seller, id, 'Buy the long one.')).rejects.toMatchObject({ status: 409, code: 'unasked' })
  await write(buyer, id, 'Is there a longer one?')
  expect((await write(seller, id, 'There is.')).messages).toHaveLength(2)
})

test('a member can write to at most twenty people a day who have not answered, and to all others', async () => {
  const { seller, buyer, id } = await sold()
  await write(buyer, id, 'Is it long?')
  const startThreads = (count: number, answeredAt: string) =>
    sql`WITH others AS (INSERT INTO users (email, first_name) SELECT gen_random_uuid() || '@test.example', 'Other'
        FROM generate_series(1, ${count}) RETURNING id)
      INSERT INTO message_threads (buyer_id, seller_id, last_seller_at, last_buyer_at)
      SELECT id, ${seller.id}::uuid, now(), ${answeredAt}::timestamptz FROM others`.execute(db())
  const next = await buy(open.shop, await open.shop.join(), await list(seller, 'Salt'))
  await startThreads(30, 'now')
  await startThreads(MAX_STARTED - 1, '-infinity')
  const lineId = next.lines[0]!.id
  await write(seller, lineId, 'Thank you.')
  await write(seller, lineId, 'More to come.')
  const last = await buy(open.shop, await open.shop.join(), await list(seller, 'Time'))
  await expect(write(seller, last.lines[0]!.id, 'Hello')).rejects.toMatchObject({ status: 409, code: 'many' })
  await write(seller, id, 'It is long.')
  await sql`UPDATE message_threads SET last_seller_at = now() - interval '25 hours' WHERE seller_id = ${seller.id}::uuid`.execute(
    db(),
  )
  expect((await write(seller, last.lines[0]!.id, 'Hello')).messages).toHaveLength(1)
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
  await write(buyer, id, 'Good bye.')
  await buyer.call(blockMessages, { id, isBlocked: true })
  await erase(buyer)
  const left = await seller.call(getMessages, { id })
  expect(left).toMatchObject({ messages: [{ text: 'I see.' }], isUnread: false, closed: 'gone' })
  await expect(write(seller, id, 'Hello')).rejects.toMatchObject({ status: 409, code: 'gone' })
  await erase(seller)
  expect(await db().selectFrom('messageThreads').select('id').where('buyerId', '=', buyer.id).execute()).toEqual([])
})
