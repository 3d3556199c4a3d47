import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { dispute } from '../../../test/dispute.ts'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { getAccount, setMails } from '../../identity/accounts/account.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { suspendSeller } from '../../moderation/moderation.contract.ts'
import type { Order } from '../../purchases/orders.contract.ts'
import { saveReview } from '../reviews.contract.ts'
import { dismissReviewRequest, listReviewRequests } from './requests.contract.ts'
import { askForReviews, reviewRequestJobs } from './requests.server.ts'
import { decideDue } from './reviewRequests.statements.server.ts'

const open = openShopForTests()
const db = () => open.shop.database.db
const mailingOf = (reviewRequestDays: number) => ({
  config: { storeName: 'Primo', reviewRequestDays },
  publicUrl: 'https://shop.example',
  unsubscribeUrlOf: open.shop.unsubscribeUrlOf,
})
/** Runs the job. */
const ask = () => askForReviews(db(), mailingOf(7))

const addCard = (title: string) =>
  addProduct(open.shop, { title, codes: Array.from({ length: 4 }, () => crypto.randomUUID()) })

type Used = { buyer: Person; product: TestProduct; order: Order }

async function buyAndUse(buyer: Person, product: TestProduct): Promise<Used> {
  const order = await buy(open.shop, buyer, product)
  await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  return { buyer, product, order }
}

async function use(title = 'Café Card'): Promise<Used> {
  return buyAndUse(await open.shop.join(), await addCard(title))
}

const passDays = ({ id }: Person, days: number) =>
  sql`UPDATE review_requests SET used_at = used_at - ${days} * interval '1 day' WHERE user_id = ${id}::uuid`.execute(
    db(),
  )

const askedOf = async (person: Person) => (await person.call(listReviewRequests, {})).map(({ title }) => title)
const mailsTo = ({ email }: Person) =>
  db()
    .selectFrom('mails')
    .select(['subject', 'bodyText', 'unsubscribeUrl'])
    .where('recipient', '=', email)
    .where('key', 'like', 'review-request:%')
    .execute()
const subscribe = ({ id }: Person) =>
  sql`INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
    SELECT ${id}::uuid, s.id, 'https://push.example/' || s.id, 'k', 'a' FROM sessions s WHERE user_id = ${id}::uuid LIMIT 1`.execute(
    db(),
  )
const pushesTo = async ({ id }: Person) => {
  const { rows } = await sql<{ message: string }>`SELECT payload ->> 'message' AS message
    FROM graphile_worker._private_jobs j, push_subscriptions s
    WHERE s.user_id = ${id}::uuid AND payload ->> 'subscriptionId' = s.id::text ORDER BY j.id`.execute(db())
  return rows
    .map(({ message }) => JSON.parse(message) as { title: string; url: string })
    .filter(({ title }) => title.startsWith('How do you like'))
}

test('asks a buyer once for a review, seven days after the first use', async () => {
  const { buyer, product, order } = await use()
  await subscribe(buyer)
  await ask()
  expect(await askedOf(buyer)).toEqual([])
  await passDays(buyer, 6)
  await ask()
  expect(await askedOf(buyer)).toEqual([])
  await passDays(buyer, 1)
  await ask()
  await ask()
  expect(await buyer.call(listReviewRequests, {})).toMatchObject([
    { productId: product.id, title: 'Café Card', categoryId: 'ebooks', imageUrl: null },
  ])
  expect(await pushesTo(buyer)).toMatchObject([
    { title: 'How do you like “Café Card”?', url: `/product/${product.id}?review` },
  ])
  expect(await mailsTo(buyer)).toEqual([])
  // another purchase and use of the same product
  await buyer.call(saveReview, { lineId: order.lines[0]!.id, stars: 4, text: '' })
  expect(await askedOf(buyer)).toEqual([])
  await buyAndUse(buyer, product)
  await passDays(buyer, 30)
  await ask()
  expect(await pushesTo(buyer)).toHaveLength(1)
})

test('does not ask buyers who did not use the goods', async () => {
  const buyer = await open.shop.join()
  await buy(open.shop, buyer, await addCard('Unopened'))
  await passDays(buyer, 30)
  await ask()
  expect(await askedOf(buyer)).toEqual([])
})

test('mails only members who agreed, and one press ends all requests', async () => {
  const { buyer, product } = await use('Rain')
  await buyer.call(setMails, { wantsReviewMails: true })
  await passDays(buyer, 7)
  await ask()
  const [mail, ...others] = await mailsTo(buyer)
  expect([mail!.subject, others]).toEqual(['How do you like “Rain”?', []])
  expect(mail!.bodyText).toContain(
    `https://shop.example/api/login?returnTo=${encodeURIComponent(`/product/${product.id}?review`)}`,
  )
  const { pathname, search } = new URL(mail!.unsubscribeUrl!)
  const request = (method: string) => fetch(open.shop.url + pathname + search, { method, redirect: 'manual' })
  expect(await (await request('GET')).text()).toContain('No more requests for reviews?')
  expect(await buyer.call(getAccount, {})).toMatchObject({ wantsReviewRequests: true })
  expect((await request('POST')).status).toBe(200)
  expect(await buyer.call(getAccount, {})).toMatchObject({
    ...{ wantsReviewRequests: false, wantsReviewMails: false, wantsVersions: true },
  })
  expect(await askedOf(buyer)).toEqual([])
  // the member turns requests in the shop on again, and the mails stay off
  await buyer.call(setMails, { wantsReviewRequests: true })
  await buyAndUse(buyer, await addCard('Sun'))
  await passDays(buyer, 7)
  await ask()
  expect(await askedOf(buyer)).toContain('Sun')
  expect(await mailsTo(buyer)).toHaveLength(1)
})

test.each([
  ['an address that is not verified', { emailVerified: false }],
  ['an address that refuses mails', { mailRefusedAt: new Date() }],
])('mails nothing to %s', async (_, change) => {
  const { buyer } = await use()
  await buyer.call(setMails, { wantsReviewMails: true })
  await db().updateTable('users').set(change).where('id', '=', buyer.id).execute()
  await passDays(buyer, 7)
  await ask()
  expect(await mailsTo(buyer)).toEqual([])
})

const refund = async ({ order }: Used) => {
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'asked for', undefined, { isCodeSeen: true })).id)
}
const suspend = async (person: Person) => {
  const staff = await open.shop.join({ role: 'support' })
  await staff.call(suspendSeller, { id: person.id, reason: 'Fraud.', days: null })
}
const CHANGES: [string, (used: Used) => Promise<unknown>][] = [
  ['a refunded purchase', refund],
  ['a disputed purchase', ({ order }) => dispute(open.shop, order.id)],
  [
    'a purchase that was given away',
    ({ order }) =>
      sql`UPDATE entitlements SET revoked_at = now(), given_at = now()
        WHERE order_line_id = ${order.lines[0]!.id}::uuid`.execute(db()),
  ],
  [
    'a reviewed product',
    ({ buyer, order }) => buyer.call(saveReview, { lineId: order.lines[0]!.id, stars: 5, text: '' }),
  ],
  [
    'a product that is off sale',
    ({ product }) => sql`UPDATE products SET is_active = false WHERE id = ${product.id}::uuid`.execute(db()),
  ],
  ['the goods of a suspended member', ({ buyer }) => suspend(buyer)],
  [
    'the goods of a member who leaves',
    ({ buyer }) =>
      sql`UPDATE users SET erase_at = now() + interval '9 days' WHERE id = ${buyer.id}::uuid`.execute(db()),
  ],
  ['anything for a member who wants no requests', ({ buyer }) => buyer.call(setMails, { wantsReviewRequests: false })],
]

test.each(CHANGES)('asks nobody for a review of %s', async (_, change) => {
  const used = await use()
  const { buyer } = used
  await subscribe(buyer)
  await buyer.call(setMails, { wantsReviewMails: true })
  await passDays(buyer, 7)
  await change(used)
  await ask()
  const states = await db().selectFrom('reviewRequests').select('state').where('userId', '=', buyer.id).execute()
  expect(states).toEqual([{ state: 'skipped' }])
  expect([await mailsTo(buyer), await pushesTo(buyer)]).toEqual([[], []])
})

test('an open request ends with the refund of its purchase', async () => {
  const used = await use()
  await passDays(used.buyer, 7)
  await ask()
  expect(await askedOf(used.buyer)).toEqual(['Café Card'])
  await refund(used)
  expect(await askedOf(used.buyer)).toEqual([])
})

test('asks no seller for a review of an own product', async () => {
  const [ada, card] = [await open.shop.join(), await addCard('Own')]
  await sql`UPDATE products SET seller_id = ${ada.id}::uuid WHERE id = ${card.id}::uuid`.execute(db())
  await buyAndUse(ada, card)
  await passDays(ada, 7)
  await ask()
  expect(await askedOf(ada)).toEqual([])
})

test('two nodes that run the job at once ask each buyer once', async () => {
  const used = await Promise.all(Array.from({ length: 3 }, () => use()))
  for (const { buyer } of used) await passDays(buyer, 7)
  const due = { days: 7, limit: 100 }
  const [one, other] = await inTransaction(db(), async (tx) => {
    const first = await decideDue(tx, due)
    // another node, before this one has committed
    return [first, await decideDue(db(), due)]
  })
  expect(one!.map(({ userId }) => userId).toSorted()).toEqual(used.map(({ buyer }) => buyer.id).toSorted())
  expect(other).toEqual([])
  expect(await decideDue(db(), due)).toEqual([])
})

test('concurrent runs of the job send one mail and one push for each request', async () => {
  const { buyer } = await use()
  await subscribe(buyer)
  await buyer.call(setMails, { wantsReviewMails: true })
  await passDays(buyer, 7)
  await Promise.all([ask(), ask(), ask()])
  expect([(await mailsTo(buyer)).length, (await pushesTo(buyer)).length]).toEqual([1, 1])
})

test('a buyer dismisses a request, and another member cannot', async () => {
  const { buyer, product } = await use()
  await passDays(buyer, 7)
  await ask()
  const stranger = await open.shop.join()
  await stranger.call(dismissReviewRequest, { id: product.id })
  expect(await askedOf(buyer)).toEqual(['Café Card'])
  await buyer.call(dismissReviewRequest, { id: product.id })
  await buyer.call(dismissReviewRequest, { id: product.id })
  expect(await askedOf(buyer)).toEqual([])
  await passDays(buyer, 30)
  await ask()
  expect(await askedOf(buyer)).toEqual([])
})

test('0 days turn requests off', () => {
  expect(reviewRequestJobs(db(), mailingOf(0))).toEqual([])
  expect(reviewRequestJobs(db(), mailingOf(7)).map(({ name }) => name)).toEqual(['ask_for_reviews'])
})
