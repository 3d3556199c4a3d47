import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { reportCode } from '../../delivery/cases/cases.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { saveReview } from '../../reviews/reviews.contract.ts'
import { addAllEvents } from '../sales/rollup.server.ts'
import { dismissReviews, getOverview } from './overview.contract.ts'

const open = openShopForTests({ FEE_PERCENT: '10', FEE_CENTS: '0', BONUS_PERCENT: '0' })
const db = () => open.shop.database.db

async function list(seller: Person, options: Parameters<typeof addProduct>[1]) {
  const product = await addProduct(open.shop, options)
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}

test('shows what the sales of today leave, at once and after the job, and nothing of another seller', async () => {
  const [ada, eve, buyer] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const book = await list(ada, { price: '20.00' })
  const orders = [await buy(open.shop, buyer, book), await buy(open.shop, buyer, book)]
  await buy(open.shop, ada, book)
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, orders[0]!.id, 'a page is missing', 500)).id)
  for (const step of ['at once', 'added']) {
    const overview = await ada.call(getOverview, {})
    // 2 x 20.00 less 10 % and a refund of 5.00, of which the fee comes back
    expect(overview.hasSold).toBe(true)
    expect(overview.today, step).toEqual({ sales: 2, net: '31.50' })
    expect(overview.days, step).toEqual([{ day: overview.to, net: '31.50' }])
    await addAllEvents(db(), async () => undefined)
  }
  const { incoming } = await ada.call(getOverview, {})
  // the own purchase is money, too
  expect(incoming).toMatchObject({ net: '49.50', first: { net: '49.50' } })
  expect(await eve.call(getOverview, {})).toMatchObject({ hasSold: false, today: { sales: 0, net: '0.00' }, days: [] })
})

test('lists a dispute, a bad code, a question and a product without goods until each is answered', async () => {
  const [ada, eve, buyer] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const book = await list(ada, { title: 'Disputed book', price: '20.00' })
  const card = await list(ada, { title: 'Last card', price: '10.00', codes: ['AAAA-1111-ZZZZ'] })
  const asked = await list(ada, { title: 'Asked about', price: '3.00' })
  const bought = await buy(open.shop, buyer, card)
  const where = { id: bought.id, lineId: bought.lines[0]!.id }
  const { codes } = await buyer.call(revealCodes, where)
  await buyer.call(reportCode, { ...where, codeId: codes[0]!.id, reason: 'invalid' })
  await sql`INSERT INTO report_cases (product_id, question, answer_by)
    VALUES (${asked.id}::uuid, 'Do you own it?', now() + interval '1 day')`.execute(db())
  await sql`UPDATE products SET is_out_of_stock = true WHERE id = ${card.id}::uuid`.execute(db())
  const sale = await buy(open.shop, buyer, book)
  await dispute(open.shop, sale.id)
  const { waiting, waitingCount, disputed, incoming } = await ada.call(getOverview, {})
  expect(waiting.map(({ kind, title }) => `${kind}: ${title}`).toSorted()).toEqual([
    'code_case: Last card',
    'dispute: Disputed book',
    'goods: Last card',
    'question: Asked about',
  ])
  expect(waitingCount).toBe(4)
  // deadlines come first
  expect(waiting.map(({ until }) => until === null)).toEqual([false, false, false, true])
  const untilOfDispute = async (change: string) => {
    await sql`UPDATE disputes SET ${sql.raw(change)} WHERE order_id = ${sale.id}`.execute(db())
    return (await ada.call(getOverview, {})).waiting.find(({ kind }) => kind === 'dispute')?.until
  }
  expect(await untilOfDispute(`state = 'under_review'`)).toBeNull()
  expect(await untilOfDispute(`state = 'needs_evidence'`)).not.toBeNull()
  expect(await untilOfDispute(`evidence_due_at = now() - interval '1 minute'`)).toBeNull()
  expect(waiting.find(({ kind }) => kind === 'dispute')).toMatchObject({ id: sale.lines[0]!.id, amount: '18.00' })
  expect(disputed).toEqual({ sales: 1, net: '18.00' })
  expect(incoming.net).toBe('9.00')
  expect((await eve.call(getOverview, {})).waiting).toEqual([])
  await sql`UPDATE report_cases SET answer = 'Yes.', answered_at = now() WHERE product_id = ${asked.id}::uuid`.execute(
    db(),
  )
  expect((await ada.call(getOverview, {})).waiting.map(({ kind }) => kind)).not.toContain('question')
})

test('a dismissed review needs no answer, and a later one does', async () => {
  const [ada, eve] = [await open.shop.join(), await open.shop.join()]
  const book = await list(ada, { title: 'Reviewed' })
  const review = async () => {
    const buyer = await open.shop.join()
    const { lines } = await buy(open.shop, buyer, book)
    await buyer.call(saveReview, { lineId: lines[0]!.id, stars: 4, text: 'Good.' })
  }
  const waiting = async () => (await ada.call(getOverview, {})).waiting.filter(({ kind }) => kind === 'review')
  await review()
  const [first] = await waiting()
  expect(first).toMatchObject({ id: book.id, title: 'Reviewed' })
  const seen = { id: book.id, at: first!.at }
  await expect(eve.call(dismissReviews, seen)).rejects.toMatchObject({ status: 404 })
  await expect(ada.call(dismissReviews, { ...seen, at: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({ status: 404 })
  expect(await waiting()).toHaveLength(1)
  await ada.call(dismissReviews, seen)
  expect(await waiting()).toEqual([])
  await review()
  expect(await waiting()).toMatchObject([{ id: book.id }])
  // the item that the seller saw is older than the new review
  await ada.call(dismissReviews, seen)
  expect(await waiting()).toMatchObject([{ id: book.id }])
})

test('lists as many waiting items as the seller asks for', async () => {
  const ada = await open.shop.join()
  for (let n = 0; n < 3; n++) {
    const card = await list(ada, { title: `Card ${n}`, codes: ['AAAA-BBBB'] })
    await sql`UPDATE products SET is_out_of_stock = true WHERE id = ${card.id}::uuid`.execute(db())
  }
  const { waiting, waitingCount } = await ada.call(getOverview, { limit: 2 })
  expect([waiting.length, waitingCount]).toEqual([2, 3])
  expect((await ada.call(getOverview, {})).waiting).toHaveLength(3)
})
