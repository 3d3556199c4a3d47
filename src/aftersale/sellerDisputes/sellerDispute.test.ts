import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { readDispute, submitEvidence } from '../disputes/dispute.contract.ts'
import { addDisputeFact, getSaleDispute, MAX_FACTS } from './sellerDispute.contract.ts'
import { forgetFactsOf } from './sellerDispute.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '10', FEE_CENTS: '0' })
const db = () => open.shop.database.db

async function list(seller: Person, price: string, title: string) {
  const product = await addProduct(open.shop, { price, title })
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}

/** An order of two goods of one seller and one of another, whose payment is disputed. */
async function disputed() {
  const [ada, bob, buyer] = [await open.shop.join({ firstName: 'Ada' }), await open.shop.join(), await open.shop.join()]
  const goods = [await list(ada, '10.00', 'Salt'), await list(ada, '5.00', 'Time'), await list(bob, '3.00', 'Glass')]
  const order = await buyMany(
    open.shop,
    buyer,
    goods.map((product) => ({ product, quantity: 1 })),
  )
  const [salt, , glass] = order.lines
  const { url } = await buyer.call(grantDownload, { id: order.id, lineId: salt!.id })
  await (await fetch(open.shop.url + url, { headers: { cookie: buyer.cookie } })).arrayBuffer()
  const found = await dispute(open.shop, order.id)
  return { ada, bob, buyer, order, id: salt!.id, bobs: glass!.id, dispute: found }
}

const add = (seller: Person, id: string, text = 'We wrote to each other on Monday.', deliveryKeys: string[] = []) =>
  seller.call(addDisputeFact, { id, text, deliveryKeys })

test('a seller sees the frozen sum, the deadline and the deliveries of their own goods, without the buyer’s address', async () => {
  const { ada, bob, id, bobs, order } = await disputed()
  const seen = await ada.call(getSaleDispute, { id })
  expect(seen).toMatchObject({ frozen: '13.50', isAnswered: false, canAdd: true, facts: [], state: 'needs_evidence' })
  expect(Date.parse(seen.dueAt!)).toBeGreaterThan(Date.now())
  expect(seen.deliveries.map(({ title, kind }) => `${kind} ${title}`).toSorted()).toEqual([
    'access Salt',
    'access Time',
    'download Salt',
  ])
  expect(JSON.stringify(seen)).not.toMatch(/127\.0\.0\.1|@/)
  expect(await bob.call(getSaleDispute, { id: bobs })).toMatchObject({ frozen: '2.70', facts: [] })
  await expect(bob.call(getSaleDispute, { id })).rejects.toMatchObject({ status: 404 })
  await expect(add(bob, order.lines[0]!.id)).rejects.toMatchObject({ status: 404 })
})

test('staff read what a seller adds, with the deliveries it is about, and get one mail', async () => {
  const staff = await open.shop.join({ role: 'finance' })
  const { ada, bob, id, bobs, dispute } = await disputed()
  const { deliveries } = await ada.call(getSaleDispute, { id })
  const { key } = deliveries.find(({ kind }) => kind === 'download')!
  const { facts } = await add(ada, id, 'The buyer thanked me.\nOn Tuesday.', [key])
  expect(facts).toMatchObject([
    { text: 'The buyer thanked me.\nOn Tuesday.', deliveries: [{ kind: 'download', title: 'Salt' }] },
  ])
  await add(ada, id)
  expect((await bob.call(getSaleDispute, { id: bobs })).facts).toEqual([])
  const file = await staff.call(readDispute, { id: dispute.id })
  expect(file.facts.map(({ seller, text }) => [seller.slice(0, 3), text.slice(0, 9)])).toEqual([
    ['Ada', 'The buyer'],
    ['Ada', 'We wrote '],
  ])
  const mails = await db()
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', staff.email)
    .where('subject', 'like', 'A seller adds%')
    .execute()
  expect(mails).toHaveLength(1)
  await expect(add(bob, bobs, 'Not mine', [key])).rejects.toMatchObject({ status: 400 })
})

test('facts close with the answer of staff, the deadline, the end of the dispute and the maximum', async () => {
  const staff = await open.shop.join({ role: 'finance' })
  const first = await disputed()
  for (let i = 0; i < MAX_FACTS; i++) await add(first.ada, first.id)
  await expect(add(first.ada, first.id)).rejects.toMatchObject({ status: 409, code: 'too_many' })
  expect((await first.ada.call(getSaleDispute, { id: first.id })).canAdd).toBe(false)
  await staff.call(submitEvidence, { id: first.dispute.id, note: '' })
  await expect(add(first.bob, first.bobs)).rejects.toMatchObject({ status: 409, code: 'closed' })

  const second = await disputed()
  await sql`UPDATE disputes SET evidence_due_at = now() - interval '1 minute' WHERE id = ${second.dispute.id}::uuid`.execute(
    db(),
  )
  await expect(add(second.ada, second.id)).rejects.toMatchObject({ status: 409, code: 'closed' })
  expect(await second.ada.call(getSaleDispute, { id: second.id })).toMatchObject({ canAdd: false })

  const third = await disputed()
  await third.dispute.end('win')
  await expect(third.ada.call(getSaleDispute, { id: third.id })).rejects.toMatchObject({ status: 404 })
  await expect(add(third.ada, third.id)).rejects.toMatchObject({ status: 404 })
})

test('the erasure of a seller deletes the facts', async () => {
  const { ada, id } = await disputed()
  await add(ada, id)
  await inTransaction(db(), (tx) => forgetFactsOf(tx, ada.id))
  expect((await ada.call(getSaleDispute, { id })).facts).toEqual([])
})
