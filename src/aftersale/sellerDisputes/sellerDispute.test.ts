import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { toCents } from '../../kit/money.ts'
import { readDispute, submitEvidence } from '../disputes/dispute.contract.ts'
import { addDisputeFact, getSaleDispute, MAX_FACTS } from './sellerDispute.contract.ts'
import { forgetFactsOf, sellerDisputeJobs } from './sellerDispute.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '10', FEE_CENTS: '0' })
const db = () => open.shop.database.db

async function list(seller: Person, price: string, title: string) {
  const product = await addProduct(open.shop, { price, title })
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}

/** An order of two goods of one seller and one of another, whose payment is disputed. */
async function disputed({ cents, buyer: given }: { cents?: number; buyer?: Person } = {}) {
  const [ada, bob] = [await open.shop.join({ firstName: 'Ada' }), await open.shop.join()]
  const buyer = given ?? (await open.shop.join())
  const goods = [await list(ada, '10.00', 'Salt'), await list(ada, '5.00', 'Time'), await list(bob, '3.00', 'Glass')]
  const order = await buyMany(
    open.shop,
    buyer,
    goods.map((product) => ({ product, quantity: 1 })),
  )
  const [salt, , glass] = order.lines
  const { url } = await buyer.call(grantDownload, { id: order.id, lineId: salt!.id })
  await (await fetch(open.shop.url + url, { headers: { cookie: buyer.cookie } })).arrayBuffer()
  const found = await dispute(open.shop, order.id, cents)
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

test('staff read the facts of a seller with the cited deliveries, and get one mail', async () => {
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
    .where('subject', 'like', 'A seller added%')
    .execute()
  expect(mails).toHaveLength(1)
  await expect(add(bob, bobs, 'Not mine', [key])).rejects.toMatchObject({ status: 400 })
})

test('rejects facts after the answer, the deadline or the end, and above the maximum', async () => {
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

test('a seller sees what remains after a lost dispute about a part of the payment', async () => {
  const { ada, id, order, dispute } = await disputed({ cents: 400 })
  const { frozen, ifLost } = await ada.call(getSaleDispute, { id })
  expect(frozen).toBe('13.50')
  await dispute.end('lose')
  const { rows } = await sql<{ cents: number }>`SELECT sum(net_cents(e))::bigint AS cents FROM earnings e
    WHERE e.order_id = ${order.id} AND e.seller_id = ${ada.id}`.execute(db())
  expect(rows).toEqual([{ cents: toCents(ifLost) }])
  const whole = await disputed()
  expect((await whole.ada.call(getSaleDispute, { id: whole.id })).ifLost).toBe('0.00')
})

test('rejects facts after the provider decides, also without an answer of staff', async () => {
  const { ada, id, dispute } = await disputed()
  await sql`UPDATE disputes SET state = 'under_review' WHERE id = ${dispute.id}::uuid`.execute(db())
  expect(await ada.call(getSaleDispute, { id })).toMatchObject({ isAnswered: true, canAdd: false })
  await expect(add(ada, id)).rejects.toMatchObject({ status: 409, code: 'closed' })
})

test('staff cannot answer before they read a fact that was added meanwhile', async () => {
  const staff = await open.shop.join({ role: 'finance' })
  const { ada, id, dispute } = await disputed()
  const { facts } = await staff.call(readDispute, { id: dispute.id })
  await add(ada, id)
  const answer = (count: number) => staff.call(submitEvidence, { id: dispute.id, note: '', facts: count })
  await expect(answer(facts.length)).rejects.toMatchObject({ status: 409, code: 'changed' })
  expect(await answer(1)).toEqual({ id: dispute.id })
})

test('hides the facts of sellers from a member of staff who is the buyer', async () => {
  const [buyer, staff] = [await open.shop.join({ role: 'finance' }), await open.shop.join({ role: 'finance' })]
  const { ada, id, dispute } = await disputed({ buyer })
  await add(ada, id)
  expect((await staff.call(readDispute, { id: dispute.id })).facts).toHaveLength(1)
  expect((await buyer.call(readDispute, { id: dispute.id })).facts).toEqual([])
})

test('facts are deleted 180 days after the end of a dispute, and at its end if the buyer is erased', async () => {
  const [old, recent, erased] = [await disputed(), await disputed(), await disputed()]
  for (const { ada, id, dispute } of [old, recent, erased]) {
    await add(ada, id)
    await dispute.end('win')
  }
  const end = (id: string, days: number) =>
    sql`UPDATE disputes SET ended_at = now() - ${days} * interval '1 day' WHERE id = ${id}::uuid`.execute(db())
  await end(old.dispute.id, 181)
  await end(recent.dispute.id, 179)
  await sql`UPDATE users SET erased_at = now() WHERE id = ${erased.buyer.id}`.execute(db())
  await sellerDisputeJobs({ db: db() })
    .find(({ name }) => name === 'delete_dispute_facts')
    ?.run({})
  const ids = [old, recent, erased].map(({ dispute }) => dispute.id)
  const left = await db().selectFrom('disputeFacts').select('disputeId').where('disputeId', 'in', ids).execute()
  expect(left).toEqual([{ disputeId: recent.dispute.id }])
})

test('the erasure of a seller deletes the facts', async () => {
  const { ada, id } = await disputed()
  await add(ada, id)
  await inTransaction(db(), (tx) => forgetFactsOf(tx, ada.id))
  expect((await ada.call(getSaleDispute, { id })).facts).toEqual([])
})
