import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { CODE, sellProduct } from '../../../test/discount.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { applyDiscount } from '../../cart/discounts/discount.contract.ts'
import { addDiscount, listOwnDiscounts } from '../../cart/discounts/ownDiscounts.contract.ts'
import { capturePayment, startPayment } from '../../checkout/checkout.contract.ts'
import { signedCents, toDecimal } from '../../kit/money.ts'
import { getBalance, getStatement } from '../../selling/balance/balance.contract.ts'
import { monthOf, netCents, statementFile } from '../../selling/balance/statement.rules.ts'
import { CUSTOMERS_CSV, getCustomer, listCustomers } from '../../selling/customers/customers.contract.ts'
import { getOverview } from '../../selling/overview/overview.contract.ts'
import { getSale, getSales, listSales, SALES_CSV, type Sale } from '../../selling/sales/sales.contract.ts'
import { addAllEvents } from '../../selling/sales/rollup.server.ts'
import { listOwnProducts } from '../../selling/selling.contract.ts'
import { readMember } from '../members/members.contract.ts'
import { getTotals } from './waiting.contract.ts'

// Sale, copy, revenue, fee and net of the glossary, read from every page, export and API field that shows them.

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '10', FEE_CENTS: '5' })
const addUp = () => addAllEvents(open.shop.database.db, async () => undefined)

type Texts = Record<string, string>
const sumOf = <Row>(rows: Row[], amountOf: (row: Row) => string) =>
  toDecimal(rows.reduce((sum, row) => sum + signedCents(amountOf(row)), 0))

async function readCsv({ cookie }: Person, path: string): Promise<Texts[]> {
  const response = await fetch(open.shop.url + path, { headers: { cookie } })
  return parse(await response.text(), { bom: true, columns: true }) as Texts[]
}

/** Sells three books with a discount code and a recording in one order, and refunds one of the books. */
async function sell(): Promise<Person> {
  const { shop } = open
  const [seller, buyer] = [await shop.join({ firstName: 'Sally' }), await shop.join()]
  const book = await sellProduct(shop, seller, { title: 'Night Trains', price: '10.00' })
  const tape = await sellProduct(shop, seller, { title: 'Rain', price: '4.00' })
  await seller.call(addDiscount, { ...CODE, productIds: [book.id] })
  await buyer.call(addToCart, { productId: book.id, quantity: 3 })
  await buyer.call(addToCart, { productId: tape.id, quantity: 1 })
  await buyer.call(applyDiscount, { code: CODE.code })
  const { id } = await buyer.call(startPayment, { amount: '28.00', currency: 'USD', intent: 'capture' })
  await provider(shop).approve(id)
  const { order } = await buyer.call(capturePayment, { id })
  const line = order.lines.find(({ productId }) => productId === book.id)
  const lines = [{ orderLineId: line?.id ?? '', quantity: 1 }]
  const refund = await refundOrder(shop.checkout, order.id, 'a page is missing', 800, { lines })
  await runRefund(shop.checkout, refund.id)
  return seller
}

test('sale, copy, revenue, fee and net have the same numbers on every page, in exports and in the API', async () => {
  const seller = await sell()
  const sales = await seller.call(listSales, {})
  const refundedFee = sumOf(sales, (sale) => sale.refundedFee)
  const money = { revenue: '28.00', fee: '2.90', refunded: '8.00', refundedFee }
  const net = toDecimal(2800 - 290 - 800 + signedCents(refundedFee))
  expect(signedCents(refundedFee)).toBeGreaterThan(0)

  for (const step of ['at once', 'after the job']) {
    const overview = await seller.call(getOverview, {})
    expect(overview, step).toMatchObject({
      ...{ today: { sales: 2, net }, incoming: { net }, days: [{ day: overview.to, net }] },
    })
    const { now, products, countries } = await seller.call(getSales, { days: 7 })
    expect(now, step).toMatchObject({ revenue: '28.00', refunded: '8.00', net, orders: 1, sales: 2 })
    expect(products.map(({ revenue, sales: count }) => [revenue, count])).toEqual([
      ['24.00', 1],
      ['4.00', 1],
    ])
    expect(countries.map(({ revenue }) => revenue)).toEqual(['28.00'])
    await addUp()
  }

  const sums = (rows: Sale[]) => ({
    revenue: sumOf(rows, ({ amount }) => amount),
    fee: sumOf(rows, ({ fee }) => fee),
    refunded: sumOf(rows, ({ refunded }) => refunded),
    refundedFee: sumOf(rows, (sale) => sale.refundedFee),
  })
  expect(sums(sales)).toEqual(money)
  expect(sumOf(sales, (sale) => sale.net)).toBe(net)
  expect(sales.map(({ title, quantity }) => [title, quantity])).toEqual(
    expect.arrayContaining([
      ['Night Trains', 3],
      ['Rain', 1],
    ]),
  )
  for (const sale of sales) {
    const page = await seller.call(getSale, { id: sale.id })
    expect(page).toMatchObject(sale)
    expect(signedCents(page.listPrice) - signedCents(page.discount)).toBe(signedCents(sale.amount))
    const kept = signedCents(sale.amount) - signedCents(sale.fee) - signedCents(sale.refunded)
    expect(toDecimal(kept + signedCents(sale.refundedFee))).toBe(sale.net)
  }

  const rows = await readCsv(seller, SALES_CSV)
  const column = (name: string) => sumOf(rows, (row) => row[name] ?? '')
  expect(rows.map(({ Copies }) => Copies).toSorted()).toEqual(['1', '3'])
  expect([column('Revenue'), column('Fee'), column('Refunded'), column('Fee returned'), column('Net')]).toEqual([
    ...Object.values(money),
    net,
  ])
})

test('the statement, the balance, customers, products, codes and staff show the same numbers', async () => {
  await addUp()
  await open.shop.database.pool.query('DELETE FROM sales_days')
  const seller = await sell()
  const sales = await seller.call(listSales, {})
  const net = sumOf(sales, (sale) => sale.net)

  const statement = await seller.call(getStatement, {})
  expect(statement.sums).toMatchObject({ sale: '34.00', discount: '-6.00', fee: '-2.90', refund: '-8.00' })
  expect(statement.sums.fee_returned).toBe(sumOf(sales, ({ refundedFee }) => refundedFee))
  expect(toDecimal(netCents(statement))).toBe(net)
  const copies = statement.movements.flatMap(({ kind, title, count }) => (kind === 'sale' ? [[title, count]] : []))
  expect(copies).toEqual([
    ['Night Trains', 3],
    ['Rain', 1],
  ])
  const lines = await readCsv(seller, statementFile('csv', monthOf(Date.now())))
  expect(sumOf(lines, (line) => line['Amount (USD)'] || '0.00')).toBe(net)
  expect(await seller.call(getBalance, {})).toMatchObject({ pending: net, pendingSales: 2 })

  const [customer] = await seller.call(listCustomers, {})
  expect(customer).toMatchObject({ sales: 2, net })
  expect(await seller.call(getCustomer, { id: customer?.id ?? '' })).toMatchObject({ sales: 2, net })
  expect(await readCsv(seller, CUSTOMERS_CSV)).toMatchObject([{ Sales: '2', Net: net }])
  expect((await seller.call(listOwnProducts, {})).map((product) => product.sales)).toEqual([1, 1])
  expect(await seller.call(listOwnDiscounts, {})).toMatchObject([{ uses: 1, revenue: '24.00' }])

  await addUp()
  const staff = await open.shop.join({ role: 'admin' })
  const member = await staff.call(readMember, { id: seller.id })
  expect(member.sold).toEqual({ sales: 2, amount: '28.00', refunded: '8.00' })
  expect(sumOf(member.sales, ({ amount }) => amount)).toBe('28.00')
  const fees = toDecimal(290 - signedCents(sumOf(sales, ({ refundedFee }) => refundedFee)))
  expect((await staff.call(getTotals, {})).today).toMatchObject({ sales: 2, revenue: '28.00', refunded: '8.00', fees })
})

test('a refund of the whole order leaves sales and revenue, and no net', async () => {
  const seller = await sell()
  const [sale] = await seller.call(listSales, {})
  const orderOf = 'SELECT order_id AS id FROM earnings WHERE order_line_id = $1'
  const { rows } = await open.shop.database.pool.query<{ id: string }>(orderOf, [sale?.id])
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, rows[0]?.id ?? '', 'all of it')).id)
  const { now } = await seller.call(getSales, { days: 7 })
  expect(now).toMatchObject({ sales: 2, revenue: '28.00', refunded: '28.00', net: '0.00' })
  expect(await seller.call(getOverview, {})).toMatchObject({ today: { sales: 2, net: '0.00' } })
  expect(await seller.call(listOwnDiscounts, {})).toMatchObject([{ revenue: '24.00' }])
  expect(await seller.call(listCustomers, {})).toMatchObject([{ sales: 2, net: '0.00' }])
})

test('a purchase of a seller’s own product is no sale for the seller and for staff', async () => {
  const seller = await sell()
  const [own] = await seller.call(listOwnProducts, { q: 'Rain' })
  await buy(open.shop, seller, { id: own?.id ?? '', price: '4.00' })
  const staff = await open.shop.join({ role: 'admin' })
  const member = await staff.call(readMember, { id: seller.id })
  expect(member.sales).toHaveLength(2)
  expect(await seller.call(listSales, {})).toHaveLength(2)
  expect((await seller.call(getSales, { days: 7 })).now).toMatchObject({ sales: 2, revenue: '28.00' })
  expect((await seller.call(listOwnProducts, {})).map((product) => product.sales)).toEqual([1, 1])
  // its money moves as any other
  expect((await seller.call(getStatement, {})).sums).toMatchObject({ sale: '38.00' })
})
