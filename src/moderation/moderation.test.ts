import { expect, test, vi } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct, type TestProduct } from '../../test/goods.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { addToCart, getCart } from '../cart/cart.contract.ts'
import { createProduct, getProduct, listProducts } from '../catalogue/catalogue.contract.ts'
import { findUnsettledSellers } from '../catalogue/offSale.server.ts'
import { startPayment } from '../checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../aftersale/refunds/refund.server.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import { endSuspension } from '../identity/accounts/suspension.statements.server.ts'
import { listAudit } from '../identity/audit/audit.contract.ts'
import { deleteReview, listPurchases, listReviews, saveReview } from '../reviews/reviews.contract.ts'
import { addSamples } from '../reviews/reviews.server.ts'
import type { Input } from '../kit/contract.ts'
import { getAccount } from '../identity/accounts/account.contract.ts'
import { getOwnProduct, relistProduct, withdrawProduct } from '../selling/selling.contract.ts'
import { findOrders } from '../admin/orders/adminOrders.contract.ts'
import {
  answerTakeDown,
  askSeller,
  closeCase,
  getTakeDown,
  liftSuspension,
  listCases,
  readCase,
  report,
  restore,
  suspendSeller,
  takeCase,
  takeDown,
} from './moderation.contract.ts'
import { answerQuestion } from './question.contract.ts'
import { suspensionJobs } from './suspensions.server.ts'

const open = openShopForTests()
const joinStaff = () => open.shop.join({ role: 'support' })

/** Signs in the seller of a product. */
async function sellerOf({ id }: TestProduct): Promise<Person> {
  const { db } = open.shop.database
  const { sellerId, email } = await db
    .selectFrom('products')
    .innerJoin('users', 'users.id', 'products.sellerId')
    .select(['sellerId', 'email'])
    .where('products.id', '=', id)
    .executeTakeFirstOrThrow()
  const cookie = await open.shop.identity.createSession(email)
  const call: Person['call'] = (endpoint, input, options = {}) =>
    open.shop.call(endpoint, input, { ...options, headers: { cookie, ...options.headers } })
  return { id: sellerId, email, cookie, call }
}

const tell = (person: Person, { id }: TestProduct, more: { reviewId?: string; reason?: string; note?: string } = {}) =>
  person.call(report, { id, reason: more.reviewId ? 'insult' : 'harmful', note: 'Look at it.', ...more })

async function caseOf(staff: Person, { id }: TestProduct) {
  const cases = await staff.call(listCases, { state: 'waiting' })
  return cases.find(({ productId }) => productId === id)
}

async function reported(product?: TestProduct) {
  const goods = product ?? (await addProduct(open.shop))
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  await tell(ada, goods)
  const { id } = (await caseOf(staff, goods))!
  return { product: goods, ada, staff, id }
}

const mailsTo = async (email: string) => {
  const { db } = open.shop.database
  const mails = await db
    .selectFrom('mails')
    .select(['subject', 'bodyText'])
    .where('recipient', '=', email)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return mails.map(({ subject, bodyText }) => `${subject}: ${bodyText}`)
}
const actsOn = async (id: string) => {
  const admin = await open.shop.join({ isAdmin: true })
  return (await admin.call(listAudit, { q: id })).map(({ act }) => act)
}
const isShown = async ({ id }: TestProduct) =>
  (await open.shop.call(listProducts, { limit: 200 })).some((product) => product.id === id)

test('collects reports of a product in one case, one per member, until staff decide', async () => {
  const { product, ada, staff, id } = await reported()
  const bob = await open.shop.join()
  await Promise.all([
    tell(bob, product),
    tell(bob, product, { reason: 'rights', note: 'It is mine.' }),
    tell(bob, product),
  ])
  await tell(bob, product, { reason: 'rights', note: 'It is mine.' })
  await buy(open.shop, bob, product)
  expect(await caseOf(staff, product)).toMatchObject({ id, reports: 2, isReview: false, decision: null })
  const { said, seller, sold, isOwn, isListed } = await staff.call(readCase, { id })
  expect(said).toMatchObject([
    { reason: 'rights', note: 'It is mine.', isBuyer: true },
    { reason: 'harmful', note: 'Look at it.', isBuyer: false },
  ])
  expect({ ...seller, sold, isOwn, isListed }).toMatchObject({ name: 'Sally P.', listed: 1, sold: 1, isOwn: false })
  expect(JSON.stringify(said)).not.toContain(ada.email)

  await staff.call(closeCase, { id })
  await expect(staff.call(closeCase, { id })).rejects.toMatchObject({ status: 409 })
  await expect(tell(bob, product)).rejects.toMatchObject({ status: 409, code: 'report_decided' })
  expect(await caseOf(staff, product)).toBeUndefined()
  expect(await isShown(product)).toBe(true)
  expect(await actsOn(product.id)).toEqual(['report.closed'])
  for (const { email } of [ada, bob])
    expect((await mailsTo(email)).filter((mail) => mail.startsWith('We have looked at your report'))).toHaveLength(1)
  // the report of another member opens a new case
  await tell(await open.shop.join(), product)
  expect((await caseOf(staff, product))!.id).not.toBe(id)
})

test('rejects reports of invisible and own products, and reasons that do not apply', async () => {
  const product = await addProduct(open.shop)
  const [ada, seller] = [await open.shop.join(), await sellerOf(product)]
  await expect(tell(seller, product)).rejects.toMatchObject({ status: 409, code: 'own_product' })
  await expect(tell(ada, product, { reason: 'insult' })).rejects.toMatchObject({ status: 400 })
  await expect(tell(ada, product, { reason: 'toString' })).rejects.toMatchObject({ status: 400 })
  await expect(tell(ada, { ...product, id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  await expect(tell(ada, product, { reviewId: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  await expect(tell(ada, product, { note: 'x'.repeat(1001) })).rejects.toMatchObject({ status: 400 })
  await buy(open.shop, ada, product)
  await open.shop.database.pool.query('UPDATE products SET is_active = false WHERE id = $1', [product.id])
  await expect(tell(await open.shop.join(), product)).rejects.toMatchObject({ status: 404 })
  // its buyer can still see it
  await tell(ada, product)
})

test('takes a product off sale everywhere, notifies its seller of the reason, and accepts an answer', async () => {
  const product = await addProduct(open.shop, { title: 'A sharp knife' })
  const [buyer, other, seller] = [await open.shop.join(), await open.shop.join(), await sellerOf(product)]
  const order = await buy(open.shop, buyer, product)
  await other.call(addToCart, { productId: product.id, quantity: 1 })
  expect(await isShown(product)).toBe(true)
  const { staff, id } = await reported(product)
  await expect(seller.call(getTakeDown, { id: product.id })).rejects.toMatchObject({ status: 404 })
  await staff.call(takeDown, { id, reason: 'harmful', message: 'Two scans flag it.' })

  await vi.waitFor(async () => expect(await isShown(product)).toBe(false), 20_000)
  await expect(open.shop.call(getProduct, { id: product.id })).rejects.toMatchObject({ status: 404 })
  expect((await other.call(getCart, {}))[0]!.product.isActive).toBe(false)
  const items = [{ productId: product.id, quantity: 1 }]
  const pay = other.call(startPayment, { amount: product.price, currency: 'USD', intent: 'capture', items })
  await expect(pay).rejects.toMatchObject({ status: 409 })
  // buyers can still download it
  expect((await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })).url).toContain('/downloads/')

  const why = 'Harmful file. Two scans flag it.'
  const own = await seller.call(getProduct, { id: product.id })
  expect(own).toMatchObject({ isActive: false, isTakenDown: true, unlistedReason: `We took it off sale. ${why}` })
  const told = (await mailsTo(seller.email)).at(-1)!
  for (const text of ['We have taken your product off sale', why, 'A sharp knife', `/product/${product.id}`])
    expect(told).toContain(text)

  expect(await seller.call(getTakeDown, { id: product.id })).toMatchObject({ why, answer: null })
  await expect(other.call(getTakeDown, { id: product.id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(answerTakeDown, { id: product.id, answer: 'No!' })).rejects.toMatchObject({ status: 404 })
  expect(await caseOf(staff, product)).toBeUndefined()
  await seller.call(answerTakeDown, { id: product.id, answer: 'Version 5 is clean.' })
  expect(await caseOf(staff, product)).toMatchObject({ id, isAnswered: true, decision: 'taken_down' })
  await staff.call(closeCase, { id })
  expect(await caseOf(staff, product)).toBeUndefined()
  expect(await seller.call(getTakeDown, { id: product.id })).toMatchObject({ answer: 'Version 5 is clean.' })

  await expect(staff.call(takeDown, { id, reason: 'rules', message: 'Again' })).rejects.toMatchObject({ status: 409 })
  await staff.call(restore, { id })
  await expect(staff.call(restore, { id })).rejects.toMatchObject({ status: 409 })
  await vi.waitFor(async () => expect(await isShown(product)).toBe(true), 20_000)
  expect((await mailsTo(seller.email)).at(-1)).toContain('Your product may be sold again')
  expect(await actsOn(product.id)).toEqual(['product.restored', 'report.closed', 'product.taken_down'])
})

/** Reads all pages of a list of cases, and returns those about these products, with their titles. */
async function readTitles(staff: Person, state: string, products: TestProduct[]) {
  const ids = products.map(({ id }) => id)
  const seen: string[] = []
  for (let path: string | undefined = `/api/admin/reports?state=${state}&limit=1`; path;) {
    const response: Response = await fetch(open.shop.url + path, { headers: { cookie: staff.cookie } })
    const [one] = (await response.json()) as { productId: string; title: string }[]
    if (one && ids.includes(one.productId)) seen.push(one.title)
    path = response.headers.get('link')?.match(/<(.+)>/)?.[1]
  }
  return seen
}

test('lists open cases that the seller answered first, and closed ones newest first', async () => {
  const staff = await joinStaff()
  const products: TestProduct[] = []
  const ids: string[] = []
  for (const title of ['Asked and answered', 'Taken down and answered', 'Asked', 'New']) {
    const product = await addProduct(open.shop, { title })
    products.push(product)
    ids.push((await reported(product)).id)
  }
  const [asked, down, silent] = products
  for (const id of [ids[0], ids[2]]) await staff.call(askSeller, { id: id!, message: 'Why?', days: 1 })
  await (await sellerOf(asked!)).call(answerQuestion, { id: asked!.id, answer: 'I drew it.' })
  await staff.call(takeDown, { id: ids[1]!, reason: 'rules', message: 'No.' })
  await (await sellerOf(down!)).call(answerTakeDown, { id: down!.id, answer: 'It is allowed.' })
  // the newest report
  await tell(await open.shop.join(), silent!)
  const first = ['Taken down and answered', 'Asked and answered']
  expect(await readTitles(staff, 'waiting', products)).toEqual([...first, 'Asked', 'New'])
  for (const id of ids) await staff.call(closeCase, { id })
  expect(await readTitles(staff, 'closed', products)).toEqual(['Asked', ...first, 'New'])
})

test('lets one member of staff take and release a case, and only an administrator take it over', async () => {
  const { product, staff, id } = await reported()
  const [other, admin] = [await joinStaff(), await open.shop.join({ isAdmin: true })]
  const take = (person: Person, isMine = true) => person.call(takeCase, { id, isMine })
  const mineOf = async (person: Person) =>
    (await person.call(listCases, { state: 'mine' })).map(({ id: taken, takenBy }) => [taken, takenBy])
  const both = await Promise.allSettled([take(staff), take(other)])
  const [first, second] = both[0].status === 'fulfilled' ? [staff, other] : [other, staff]
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await take(first)
  expect(await mineOf(first)).toEqual([[id, first.email]])
  expect(await mineOf(second)).toEqual([])
  expect(await second.call(readCase, { id })).toMatchObject({ takenBy: first.email })
  const taken = { status: 409, code: 'case_taken' }
  await expect(second.call(closeCase, { id })).rejects.toMatchObject(taken)
  await expect(second.call(takeDown, { id, reason: 'rules', message: 'No.' })).rejects.toMatchObject(taken)
  await expect(second.call(askSeller, { id, message: 'Why?', days: 1 })).rejects.toMatchObject(taken)
  await expect(take(second)).rejects.toMatchObject(taken)
  await expect(take(second, false)).rejects.toMatchObject(taken)
  await take(first, false)
  expect(await mineOf(first)).toEqual([])
  await take(second)
  await expect(admin.call(closeCase, { id })).rejects.toMatchObject(taken)
  await take(admin)
  await admin.call(takeDown, { id, reason: 'rules', message: 'No.' })
  // the answer goes back to the administrator who decided; until it is closed, other staff cannot restore
  await (await sellerOf(product)).call(answerTakeDown, { id: product.id, answer: 'It is allowed.' })
  expect(await mineOf(admin)).toEqual([[id, admin.email]])
  await expect(first.call(restore, { id })).rejects.toMatchObject(taken)
  await admin.call(closeCase, { id })
  await first.call(restore, { id })
  expect((await actsOn(product.id)).filter((act) => act.startsWith('report.')).toReversed()).toEqual([
    'report.taken',
    'report.released',
    'report.taken',
    'report.taken',
    'report.closed',
  ])
})

test('releases a case when its member of staff leaves or changes the role', async () => {
  const { staff, id } = await reported()
  await staff.call(takeCase, { id, isMine: true })
  await open.shop.database.pool.query(`UPDATE users SET role = 'finance' WHERE id = $1`, [staff.id])
  const other = await joinStaff()
  expect(await other.call(readCase, { id })).toMatchObject({ takenBy: null })
  await other.call(closeCase, { id })
})

test('asks the seller first and shows the answer before the decision', async () => {
  const product = await addProduct(open.shop, { title: 'A question of taste' })
  const { staff, id } = await reported(product)
  const [seller, member] = [await sellerOf(product), await open.shop.join()]
  const ask = (message = 'Who drew it?') => staff.call(askSeller, { id, message, days: 3 })
  const answer = (person: Person) => person.call(answerQuestion, { id: product.id, answer: 'I did.' })
  const questionOf = async () => (await seller.call(getOwnProduct, { id: product.id })).asked
  const briefOf = () => caseOf(staff, product)
  await expect(answer(seller)).rejects.toMatchObject({ status: 404 })
  expect(await questionOf()).toBeNull()
  await ask()
  await expect(ask()).rejects.toMatchObject({ status: 409, code: 'asked' })
  const told = (await mailsTo(seller.email)).at(-1)!
  for (const text of ['We have a question about your product', 'Who drew it?', `/my-products/${product.id}`])
    expect(told).toContain(text)
  expect(await isShown(product)).toBe(true)
  expect(await briefOf()).toMatchObject({ isAnswered: false, takenBy: staff.email })
  const { question, answerBy } = (await questionOf())!
  expect(question).toBe('Who drew it?')
  expect(Date.parse(answerBy) - Date.now()).toBeGreaterThan(2.9 * 86_400_000)
  // others see only the public data of the product
  expect(JSON.stringify(await member.call(getProduct, { id: product.id }))).not.toContain('Who drew it?')
  await expect(answer(member)).rejects.toMatchObject({ status: 404 })
  await answer(seller)
  expect(await staff.call(readCase, { id })).toMatchObject({ isAnswered: true, question, answer: 'I did.' })
  await ask('And who wrote it?')
  expect(await questionOf()).toMatchObject({ question: 'And who wrote it?', answer: null })
  await staff.call(closeCase, { id })
  expect((await mailsTo(seller.email)).at(-1)).toContain('Your product stays on sale')
  await expect(answer(seller)).rejects.toMatchObject({ status: 404 })
  expect(await questionOf()).toBeNull()
  expect(await actsOn(product.id)).toEqual(['report.closed', 'report.asked', 'report.asked'])
})

test('lets staff ask again after the deadline, or take the product down without an answer', async () => {
  const { product, staff, id } = await reported()
  const ask = () => staff.call(askSeller, { id, message: 'Why?', days: 1 })
  await ask()
  await open.shop.database.pool.query(`UPDATE report_cases SET answer_by = now() - interval '1 second' WHERE id = $1`, [
    id,
  ])
  await ask()
  await staff.call(takeDown, { id, reason: 'rights', message: 'No answer.' })
  const seller = await sellerOf(product)
  expect(await seller.call(getOwnProduct, { id: product.id })).toMatchObject({ status: 'stopped', asked: null })
  await expect(ask()).rejects.toMatchObject({ status: 409, code: 'case_decided' })
  // reviews have no seller, so staff cannot ask
  const order = await buy(open.shop, seller, await addProduct(open.shop))
  const { review } = await seller.call(saveReview, { lineId: order.lines[0]!.id, stars: 1, text: 'No.' })
  const { productId } = order.lines[0]!
  await (await open.shop.join()).call(report, { id: productId, reviewId: review!.id, reason: 'spam', note: '' })
  const about = (await staff.call(listCases, { state: 'waiting' })).find((one) => one.productId === productId)!
  const wrong = staff.call(askSeller, { id: about.id, message: 'Why?', days: 1 })
  await expect(wrong).rejects.toMatchObject({ status: 409, code: 'review_case' })
})

test('shows staff the orders of a reported product, so that they can refund them', async () => {
  const { product } = await reported()
  const [buyer, other, finance] = [
    await open.shop.join(),
    await open.shop.join(),
    await open.shop.join({ role: 'finance' }),
  ]
  const { id } = await buy(open.shop, buyer, product)
  await buy(open.shop, other, await addProduct(open.shop))
  const found = (asked: Input<typeof findOrders>) => finance.call(findOrders, asked)
  expect((await found({ productId: product.id })).map((order) => order.id)).toEqual([id])
  expect((await found({ productId: product.id, q: buyer.email })).map((order) => order.id)).toEqual([id])
  expect(await found({ productId: product.id, q: other.email })).toEqual([])
  expect(await found({ productId: crypto.randomUUID() })).toEqual([])
})

test('does not sell a product that is taken down between order and payment', async () => {
  const product = await addProduct(open.shop)
  const [ada, { staff, id }] = [await open.shop.join(), await reported(product)]
  const items = [{ productId: product.id, quantity: 1 }]
  await Promise.allSettled([
    ada.call(startPayment, { amount: product.price, currency: 'USD', intent: 'capture', items }),
    staff.call(takeDown, { id, reason: 'rules', message: 'No.' }),
  ])
  await expect(
    ada.call(startPayment, { amount: product.price, currency: 'USD', intent: 'capture', items }),
  ).rejects.toMatchObject({ status: 409 })
})

test('lets only other staff decide about a product or review of a member of staff', async () => {
  const product = await addProduct(open.shop)
  const { ada, id } = await reported(product)
  const { pool } = open.shop.database
  const [finance, admin] = [await open.shop.join({ role: 'finance' }), await open.shop.join({ isAdmin: true })]
  for (const person of [ada, finance]) {
    await expect(person.call(listCases, { state: 'waiting' })).rejects.toMatchObject({ status: 403 })
    await expect(person.call(readCase, { id })).rejects.toMatchObject({ status: 403 })
    await expect(person.call(takeDown, { id, reason: 'rules', message: 'No.' })).rejects.toMatchObject({ status: 403 })
    await expect(person.call(suspendSeller, { id: ada.id, reason: 'No.', days: 7 })).rejects.toMatchObject({
      status: 403,
    })
  }
  await pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [admin.id, product.id])
  expect((await admin.call(readCase, { id })).isOwn).toBe(true)
  for (const act of [closeCase, restore])
    await expect(admin.call(act, { id })).rejects.toMatchObject({ status: 403, code: 'own_case' })
  await expect(admin.call(takeDown, { id, reason: 'rules', message: 'No.' })).rejects.toMatchObject({
    code: 'own_case',
  })
  await expect(admin.call(readCase, { id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
})

test('removes a hidden review from list and rating, rejects a new version, and restores it', async () => {
  const product = await addProduct(open.shop)
  const [buyer, other] = [await open.shop.join({ firstName: 'Bruno' }), await open.shop.join()]
  const order = await buy(open.shop, buyer, product)
  const lineId = order.lines[0]!.id
  const { review } = await buyer.call(saveReview, { lineId, stars: 1, text: 'You fool.' })
  await expect(tell(buyer, product, { reviewId: review!.id })).rejects.toMatchObject({ code: 'own_review' })
  await tell(other, product, { reviewId: review!.id })
  const staff = await joinStaff()
  const { id, isReview } = (await caseOf(staff, product))!
  expect(isReview).toBe(true)
  expect((await staff.call(readCase, { id })).review).toEqual({
    ...{ author: 'Bruno P.', stars: 1, text: 'You fool.', answer: null },
  })
  await expect(staff.call(takeDown, { id, reason: 'harmful', message: 'No.' })).rejects.toMatchObject({ status: 400 })
  await staff.call(takeDown, { id, reason: 'insult', message: 'Be kind.' })

  const ratingOf = async () => (await open.shop.call(getProduct, { id: product.id })).rating.product
  await vi.waitFor(async () => expect(await open.shop.call(listReviews, { id: product.id })).toEqual([]), 20_000)
  await vi.waitFor(async () => expect(await ratingOf()).toEqual([0, 0, 0, 0, 0]), 20_000)
  expect(await isShown(product)).toBe(true)
  expect((await mailsTo(buyer.email)).at(-1)).toContain('Insult or threat. Be kind.')
  expect((await buyer.call(listPurchases, { id: product.id }))[0]!.takenDown).toBe('Insult or threat. Be kind.')
  const hidden = { status: 409, code: 'review_hidden' }
  await expect(buyer.call(saveReview, { lineId, stars: 2, text: 'Hm.' })).rejects.toMatchObject(hidden)
  await expect(buyer.call(deleteReview, { lineId })).rejects.toMatchObject(hidden)
  await expect(other.call(deleteReview, { lineId })).rejects.toMatchObject({ status: 404 })

  await staff.call(restore, { id })
  await vi.waitFor(async () => expect(await ratingOf()).toEqual([1, 0, 0, 0, 0]), 20_000)
  await buyer.call(saveReview, { lineId, stars: 2, text: 'Hm.' })
  expect(await actsOn(review!.id)).toEqual(['review.restored', 'review.hidden'])
})

test('does not show a restored review whose purchase was refunded, and can hide samples', async () => {
  const product = await addProduct(open.shop)
  const buyer = await open.shop.join()
  const order = await buy(open.shop, buyer, product)
  const { review } = await buyer.call(saveReview, { lineId: order.lines[0]!.id, stars: 1, text: 'No.' })
  const sample = { productId: product.id, author: 'Jonas T.', stars: 5, text: 'Buy my book!', createdAt: new Date() }
  await addSamples(open.shop.database.db, [sample])
  const [staff, other] = [await joinStaff(), await open.shop.join()]
  const shown = () => open.shop.call(listReviews, { id: product.id })
  await vi.waitFor(async () => expect(await shown()).toHaveLength(2), 20_000)
  const sampleId = (await shown()).find(({ isSample }) => isSample)!.id
  for (const reviewId of [review!.id, sampleId]) {
    await tell(other, product, { reviewId })
    const { id } = (await caseOf(staff, product))!
    await staff.call(takeDown, { id, reason: 'spam', message: 'No.' })
    if (reviewId === sampleId) continue
    await runRefund(open.shop.checkout, (await refundOrder(open.shop.checkout, order.id, 'asked for')).id)
    await staff.call(restore, { id })
  }
  await vi.waitFor(async () => expect(await shown()).toEqual([]), 20_000)
})

test('takes all products of a suspended seller off sale, including new ones, until the suspension ends', async () => {
  const product = await addProduct(open.shop)
  const [seller, staff, buyer] = [await sellerOf(product), await joinStaff(), await open.shop.join()]
  const order = await buy(open.shop, buyer, product)
  const until = { id: seller.id, reason: 'Three take-downs in a week.', days: 7 as const }
  await staff.call(suspendSeller, until)
  await expect(staff.call(suspendSeller, until)).rejects.toMatchObject({ status: 409, code: 'suspended' })
  await vi.waitFor(async () => expect(await isShown(product)).toBe(false), 20_000)
  await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
  const made = await seller.call(createProduct, { title: 'New', price: '1.00', categoryId: 'ebooks' })
  expect(made.unlistedReason).toContain('You can’t sell at the moment')
  // drafts were not on sale before
  expect(await seller.call(getOwnProduct, { id: product.id })).toMatchObject({ status: 'stopped', isTakenDown: false })
  await seller.call(withdrawProduct, { id: product.id })
  expect(await seller.call(getOwnProduct, { id: product.id })).toMatchObject({ status: 'withdrawn' })
  await seller.call(relistProduct, { id: product.id })
  const { suspension } = await seller.call(getAccount, {})
  expect(suspension!.reason).toBe(until.reason)
  expect(Date.parse(suspension!.endsAt!)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
  const told = (await mailsTo(seller.email)).at(-1)!
  for (const text of ['You can’t sell for now', 'Three take-downs', 'payouts wait']) expect(told).toContain(text)
  await tell(buyer, product)
  const { id } = (await caseOf(staff, product))!
  expect((await staff.call(readCase, { id })).seller.suspension).toMatchObject({ reason: until.reason })
  await staff.call(takeDown, { id, reason: 'rules', message: 'This one stays down.' })
  expect(await seller.call(getOwnProduct, { id: product.id })).toMatchObject({ isTakenDown: true })

  const other = await addProduct(open.shop)
  await open.shop.database.pool.query('UPDATE products SET seller_id = $1, is_suspended = true WHERE id = $2', [
    seller.id,
    other.id,
  ])
  await staff.call(liftSuspension, { id: seller.id })
  expect(await seller.call(getAccount, {})).toMatchObject({ suspension: null })
  await expect(staff.call(liftSuspension, { id: seller.id })).rejects.toMatchObject({ status: 404 })
  await vi.waitFor(async () => expect(await isShown(other)).toBe(true), 20_000)
  expect(await isShown(product)).toBe(false)
  expect((await mailsTo(seller.email)).at(-1)).toContain('You can sell again')
  expect((await actsOn(seller.id)).filter((act) => act.startsWith('seller.'))).toEqual([
    'seller.lifted',
    'seller.suspended',
  ])
  await expect(staff.call(suspendSeller, { ...until, id: staff.id })).rejects.toMatchObject({ status: 409 })
  await expect(staff.call(suspendSeller, { ...until, id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
})

test('ends a suspension after its days, but never one without days', async () => {
  const [one, two] = [await addProduct(open.shop), await addProduct(open.shop)]
  const [staff, { db, pool }] = [await joinStaff(), open.shop.database]
  const mailing = { config: { storeName: 'Primo' }, publicUrl: 'https://shop.example' }
  await staff.call(suspendSeller, { id: (await sellerOf(one)).id, reason: 'No.', days: 7 })
  await staff.call(suspendSeller, { id: (await sellerOf(two)).id, reason: 'No.', days: null })
  const end = suspensionJobs(db, mailing)[0]!
  await end.run({})
  expect(await isShown(one)).toBe(false)
  await pool.query(
    `UPDATE suspensions SET created_at = created_at - interval '8 days', ends_at = ends_at - interval '8 days'`,
  )
  await end.run({})
  await vi.waitFor(async () => expect(await isShown(one)).toBe(true), 20_000)
  expect(await isShown(two)).toBe(false)
})

test('lets only staff end a suspension early', async () => {
  const product = await addProduct(open.shop)
  const [seller, staff, { db }] = [await sellerOf(product), await joinStaff(), open.shop.database]
  await staff.call(suspendSeller, { id: seller.id, reason: 'No.', days: 7 })
  expect(await endSuspension(db, { sellerId: seller.id, actorId: null })).toEqual([])
  expect(await endSuspension(db, { sellerId: seller.id, actorId: staff.id })).toHaveLength(1)
})

test('mails a seller whose suspension ends during the deletion period that products stay off sale', async () => {
  const product = await addProduct(open.shop)
  const [seller, staff, { pool }] = [await sellerOf(product), await joinStaff(), open.shop.database]
  await staff.call(suspendSeller, { id: seller.id, reason: 'No.', days: 7 })
  await pool.query(`UPDATE users SET erase_at = now() + interval '14 days' WHERE id = $1`, [seller.id])
  await staff.call(liftSuspension, { id: seller.id })
  const told = (await mailsTo(seller.email)).at(-1)!
  expect(told).toContain('Your suspension is over: ')
  expect(told).toContain('stay off sale')
  expect(told).not.toContain('are on sale again')
  expect(await isShown(product)).toBe(false)
})

test('corrects products of sellers whose suspension or deletion is inconsistent with their state', async () => {
  const products = await Promise.all(Array.from({ length: 4 }, () => addProduct(open.shop)))
  const [kept, leaving, suspended, usual] = await Promise.all(products.map(sellerOf))
  const [staff, { db, pool }] = [await joinStaff(), open.shop.database]
  const mailing = { config: { storeName: 'Primo' }, publicUrl: 'https://shop.example' }
  await staff.call(suspendSeller, { id: suspended!.id, reason: 'No.', days: null })
  await pool.query('UPDATE products SET is_suspended = NOT is_suspended WHERE seller_id = ANY ($1)', [
    [kept!.id, suspended!.id],
  ])
  await pool.query(`UPDATE users SET erase_at = now() + interval '14 days' WHERE id = $1`, [leaving!.id])
  const readState = async () => {
    const sellers = [kept, leaving, suspended, usual].map((seller) => seller!.id)
    const { rows } = await pool.query<{ state: boolean }>(
      'SELECT is_suspended AS state FROM products WHERE seller_id = ANY ($1) ORDER BY array_position($1, seller_id)',
      [sellers],
    )
    return rows.map(({ state }) => state)
  }
  expect(await readState()).toEqual([true, false, false, false])
  await suspensionJobs(db, mailing)[0]!.run({})
  expect(await readState()).toEqual([false, true, true, false])
  expect(await findUnsettledSellers(db, 10)).toEqual([])
})

test('does not block a checkout that locks a product while its seller is being suspended', async () => {
  const product = await addProduct(open.shop)
  const [seller, staff, { db, pool }] = [await sellerOf(product), await joinStaff(), open.shop.database]
  let suspending: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('products').select('id').where('id', '=', product.id).forShare().execute()
    suspending = staff.call(suspendSeller, { id: seller.id, reason: 'No.', days: null })
    await expect.poll(async () => (await pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount).toBe(1)
    // the same lock as the foreign key of an order line
    await tx.selectFrom('users').select('id').where('id', '=', seller.id).forKeyShare().noWait().execute()
  })
  await suspending
})

test('suspends a product added in a concurrent transaction', async () => {
  const product = await addProduct(open.shop)
  const [seller, staff, { db, pool }] = [await sellerOf(product), await joinStaff(), open.shop.database]
  let suspending: Promise<unknown> | undefined
  const made = { sellerId: seller.id, categoryId: 'ebooks', title: 'Quick', priceCents: 100 }
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('products').values(made).execute()
    suspending = staff.call(suspendSeller, { id: seller.id, reason: 'No.', days: null })
    const waiting = 'SELECT FROM pg_locks WHERE NOT granted'
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
  })
  await suspending
  const { rows } = await pool.query('SELECT is_suspended FROM products WHERE seller_id = $1', [seller.id])
  expect(rows).toEqual([{ is_suspended: true }, { is_suspended: true }])
})

test('suspends a product added while the suspension is being written', async () => {
  const [seller, staff, { db, pool }] = [await open.shop.join(), await joinStaff(), open.shop.database]
  let adding: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', seller.id).forNoKeyUpdate().execute()
    await tx.insertInto('suspensions').values({ sellerId: seller.id, reason: 'No.', madeBy: staff.id }).execute()
    adding = seller.call(createProduct, { title: 'Quick', price: '1.00', categoryId: 'ebooks' })
    await expect.poll(async () => (await pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount).toBe(1)
  })
  expect(await adding).toMatchObject({ unlistedReason: expect.stringContaining('You can’t sell') as string })
})
