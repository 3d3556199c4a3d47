import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { wrongBooks } from '../../../test/credit.ts'
import { runRefunds } from '../../../test/order.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { addToCart, getCart } from '../../cart/cart.contract.ts'
import { applyDiscount } from '../../cart/discounts/discount.contract.ts'
import { CODE, sellProduct } from '../../../test/discount.ts'
import { addDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { createProduct, getProduct, listProducts } from '../../catalogue/catalogue.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { listOwnedParts } from '../../delivery/library/library.contract.ts'
import { toCents } from '../../kit/money.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import {
  changeKind,
  editProduct,
  getOwnProduct,
  listParts,
  relistProduct,
  setParts,
  withdrawProduct,
} from '../../selling/selling.contract.ts'
import { cancelOrder, capturePayment, startPayment } from '../checkout.contract.ts'
import { askRefund } from '../../aftersale/refunds/refund.contract.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '5', FEE_CENTS: '30' }, { hasJobs: true })
const usd = { currency: 'USD', intent: 'capture' } as const

afterEach(async () => expect(await wrongBooks(open.shop)).toEqual([]))

const fresh = (count: number) => Array.from({ length: count }, () => randomBytes(8).toString('hex').toUpperCase())

/** Creates a bundle for $45 from a book of $10, a card of $20 with codes and keys of $30. */
async function sellBundle(codes = 2) {
  const seller = await open.shop.join()
  const book = await sellProduct(open.shop, seller, { title: 'Book' })
  const card = await sellProduct(open.shop, seller, { title: 'Card', price: '20.00', codes: fresh(codes) })
  const app = await sellProduct(open.shop, seller, { title: 'App', price: '30.00', categoryId: 'software' })
  await seller.call(changeKind, { id: app.id, delivery: 'license' })
  const words = { title: 'All three', description: null, categoryId: 'ebooks', price: '45.00', isDraft: true }
  const { id } = await seller.call(createProduct, words)
  const { version } = await seller.call(changeKind, { id, delivery: 'bundle' })
  await expect(seller.call(relistProduct, { id })).rejects.toMatchObject({ code: 'goods_missing' })
  const partIds = [book.id, card.id, app.id]
  await seller.call(setParts, { id, version, partIds })
  await seller.call(relistProduct, { id })
  return { seller, id, book, card, app, partIds }
}

async function pay(buyer: Person, input: { amount: string; items?: { productId: string; quantity: number }[] }) {
  const { id } = await buyer.call(startPayment, { ...usd, ...input })
  await provider(open.shop).approve(id)
  return (await buyer.call(capturePayment, { id })).order
}

const isListed = async (id: string) =>
  (await open.shop.call(listProducts, { kind: 'bundle', limit: 200 })).some((product) => product.id === id)
const paid = ({ lines }: Order) => lines.reduce((sum, { price, quantity }) => sum + toCents(price) * quantity, 0)

test('splits a bundle into lines of its parts, which deliver and refund separately', async () => {
  const { id, book, card, app, seller } = await sellBundle()
  const buyer = await open.shop.join()
  await expect
    .poll(() => open.shop.call(getProduct, { id }).catch(() => null))
    .toMatchObject({
      ...{ kind: 'bundle', price: '45.00', isActive: true, file: null },
      parts: [
        { id: book.id, price: '10.00', kind: 'file' },
        { id: card.id, price: '20.00', kind: 'code' },
        { id: app.id, price: '30.00', kind: 'license' },
      ],
    })
  const order = await pay(buyer, { amount: '45.00', items: [{ productId: id, quantity: 1 }] })
  const bundle = { id, title: 'All three' }
  expect(order).toMatchObject({
    ...{ status: 'completed', total: '45.00' },
    lines: [
      { title: 'Book', price: '7.50', bundle, delivery: { kind: 'file' } },
      { title: 'Card', price: '15.00', bundle, delivery: { kind: 'code', count: 1 } },
      { title: 'App', price: '22.50', bundle, delivery: { kind: 'license' } },
    ],
  })
  const [file, code] = order.lines
  await buyer.call(grantDownload, { id: order.id, lineId: file!.id })
  await buyer.call(revealCodes, { id: order.id, lineId: code!.id })
  expect((await buyer.call(listOwnedParts, { id })).ids).toEqual([book.id, card.id, app.id])
  expect(await seller.call(getOwnProduct, { id })).toMatchObject({ sales: 1, isSold: true })
  // sold lines do not change when the seller edits the products
  await seller.call(withdrawProduct, { id: book.id })
  expect((await buyer.call(getOrder, { id: order.id })).lines.map(({ price }) => price)).toEqual([
    '7.50',
    '15.00',
    '22.50',
  ])
  const staff = await open.shop.join({ role: 'finance' })
  const asked = { id: order.id, reason: 'a bad code', isCodeSeen: true, lines: [{ id: code!.id, copies: 1 }] }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await staff.call(askRefund, { ...asked, amount: '15.00', left: '45.00' }, { headers })
  await runRefunds(open.shop)
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({
    refunds: [{ amount: '15.00' }],
    lines: [
      { refunded: 0, delivery: { kind: 'file' } },
      { refunded: 1, delivery: null },
      { delivery: { kind: 'license' } },
    ],
  })
})

test('takes a bundle off sale while a part is sold out or withdrawn', async () => {
  const { id, card, book, seller } = await sellBundle(1)
  const [buyer, other] = [await open.shop.join(), await open.shop.join()]
  await other.call(addToCart, { productId: id, quantity: 1 })
  await pay(buyer, { amount: '20.00', items: [{ productId: card.id, quantity: 1 }] })
  await expect.poll(() => isListed(id)).toBe(false)
  await expect.poll(() => open.shop.call(getProduct, { id })).toMatchObject({ isActive: false, isOutOfStock: true })
  await expect(buyer.call(addToCart, { productId: id, quantity: 1 })).rejects.toMatchObject({ status: 404 })
  expect(await other.call(getCart, {})).toMatchObject([
    { product: { isActive: false, parts: ['Book', 'Card', 'App'] } },
  ])
  await expect(other.call(startPayment, { ...usd, amount: '45.00' })).rejects.toMatchObject({ code: 'unavailable' })

  const whole = await sellBundle()
  await whole.seller.call(withdrawProduct, { id: whole.book.id })
  await expect.poll(() => isListed(whole.id)).toBe(false)
  await whole.seller.call(relistProduct, { id: whole.book.id })
  await expect.poll(() => isListed(whole.id)).toBe(true)
  expect(await seller.call(getOwnProduct, { id })).toMatchObject({
    parts: [{ id: book.id, isOnSale: true }, { isOnSale: false }, {}],
  })
})

test('returns the bundle of a canceled order to the cart next to a separately bought part', async () => {
  const { id, book } = await sellBundle(9)
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: id, quantity: 2 })
  await buyer.call(addToCart, { productId: book.id, quantity: 1 })
  const { orderId } = await buyer.call(startPayment, { ...usd, amount: '100.00' })
  expect((await buyer.call(getOrder, { id: orderId })).lines).toHaveLength(4)
  await buyer.call(cancelOrder, { id: orderId })
  const cart = await buyer.call(getCart, {})
  expect(cart.toSorted((a, b) => b.quantity - a.quantity)).toMatchObject([
    { productId: id, quantity: 2, product: { price: '45.00', wasPrice: null } },
    { productId: book.id, quantity: 1 },
  ])
})

test('calculates discounts, changed prices and fees of a bundle exactly', async () => {
  const { id, seller, book } = await sellBundle(9)
  const own = await seller.call(getOwnProduct, { id })
  const { title, description, categoryId, version } = own
  await seller.call(editProduct, { id, title, description, categoryId, version, price: '9.99' })
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: id, quantity: 1 })
  // a discount code for a part does not apply to the bundle
  const forPart = { ...CODE, code: `P${randomBytes(4).toString('hex').toUpperCase()}`, productIds: [book.id] }
  await seller.call(addDiscount, forPart)
  await expect(buyer.call(applyDiscount, { code: forPart.code })).rejects.toMatchObject({ code: 'discount_unfit' })
  const forAll = { ...CODE, code: `A${randomBytes(4).toString('hex').toUpperCase()}`, percent: 15 }
  await seller.call(addDiscount, forAll)
  await buyer.call(applyDiscount, { code: forAll.code })
  await expect(buyer.call(startPayment, { ...usd, amount: '38.25' })).rejects.toMatchObject({
    code: 'price_changed',
    details: { total: '8.49', items: [{ productId: id, price: '9.99' }] },
  })
  const order = await pay(buyer, { amount: '8.49' })
  expect(order).toMatchObject({ total: '8.49', discounts: [{ amount: '1.50' }] })
  expect(paid(order)).toBe(999)
  const { rows } = await open.shop.database.pool.query(
    'SELECT sum(gross_cents)::int AS gross, min(gross_cents - fee_cents)::int AS least FROM earnings WHERE order_id = $1',
    [order.id],
  )
  expect(rows).toMatchObject([{ gross: 849, least: expect.any(Number) as number }])
  expect(rows[0].least).toBeGreaterThanOrEqual(0)
})

test('allows bundles of own products only, without bundles inside', async () => {
  const { id, seller, partIds, book } = await sellBundle()
  const foreign = await sellBundle()
  const { version } = await seller.call(getOwnProduct, { id })
  const save = (ids: string[], who = seller) => who.call(setParts, { id, version, partIds: ids })
  await expect(save([book.id])).rejects.toMatchObject({ status: 400 })
  await expect(save([book.id, book.id])).rejects.toMatchObject({ status: 400 })
  await expect(save([book.id, foreign.book.id])).rejects.toMatchObject({ status: 409, code: 'unfit' })
  await expect(save([book.id, id])).rejects.toMatchObject({ status: 409, code: 'unfit' })
  await expect(save(partIds, foreign.seller)).rejects.toMatchObject({ status: 404 })
  const choices = await seller.call(listParts, {})
  expect(choices.map((part) => part.id).sort()).toEqual([...partIds].sort())
  await save(partIds.toReversed())
  await expect(save(partIds)).rejects.toMatchObject({ status: 409, code: 'changed' })
  // the product page lists its bundles, because a part cannot have variants
  expect((await seller.call(getOwnProduct, { id: book.id })).bundles).toEqual([{ id, title: 'All three' }])
  // the kind of a part and the fixed price of a bundle cannot change
  await expect(seller.call(changeKind, { id: book.id, delivery: 'code' })).rejects.toMatchObject({ code: 'sold' })
  const own = await seller.call(getOwnProduct, { id })
  const edit = { id, title: own.title, description: null, categoryId: own.categoryId, version: own.version }
  await expect(seller.call(editProduct, { ...edit, price: '0.02' })).rejects.toMatchObject({ code: 'too_cheap' })
  await expect(seller.call(editProduct, { ...edit, price: '9.00', suggested: '12.00' })).rejects.toMatchObject({
    code: 'fixed_price_only',
  })
})
