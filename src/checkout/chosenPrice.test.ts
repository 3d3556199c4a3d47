import { afterEach, expect, test } from 'vitest'
import { wrongBooks } from '../../test/credit.ts'
import { addProduct } from '../../test/goods.ts'
import { METHOD } from '../../test/payment.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { addToCart, getCart, setCartQuantity } from '../cart/cart.contract.ts'
import { applyDiscount } from '../cart/discounts/discount.contract.ts'
import { openSeller } from '../../test/discount.ts'
import { cancelOrder, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'

// Buyers choose a price of at least the seller's minimum.

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '0', FEE_CENTS: '75' })
const usd = { currency: 'USD', intent: 'capture' } as const

afterEach(async () => expect(await wrongBooks(open.shop)).toEqual([]))

const walks = () => addProduct(open.shop, { price: '3.00', suggested: '5.00', title: 'Walks' })
const priceIn = async (buyer: Person) => (await buyer.call(getCart, {}))[0]!.product

async function pay(
  buyer: Person,
  input: { amount: string; items?: { productId: string; quantity: number; price?: string }[] },
) {
  const { id } = await buyer.call(startPayment, { ...usd, ...input })
  await provider(open.shop).approve(id)
  return (await buyer.call(capturePayment, { id })).order
}

test('stores the price chosen for a cart line, allows changes and freezes it in the order', async () => {
  const { id: productId } = await walks()
  const buyer = await open.shop.join()
  // the suggested price is the default
  const [line] = await buyer.call(addToCart, { productId, quantity: 1 })
  expect(line!.product).toMatchObject({ price: '5.00', suggested: '5.00', least: '3.00', wasPrice: null })
  await expect(buyer.call(addToCart, { productId, quantity: 1, price: '2.99' })).rejects.toMatchObject({
    status: 409,
    code: 'under_minimum',
    message: expect.stringContaining('Pay at least $3.00.'),
  })
  const at = { id: line!.id, quantity: 2 }
  await expect(buyer.call(setCartQuantity, { ...at, price: '2.00' })).rejects.toMatchObject({ code: 'under_minimum' })
  await expect(buyer.call(setCartQuantity, { ...at, price: '100000' })).rejects.toMatchObject({ code: 'under_minimum' })
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 1, product: { price: '5.00' } }])
  expect(await buyer.call(setCartQuantity, { ...at, price: '4.25' })).toMatchObject([
    { quantity: 2, product: { price: '4.25', wasPrice: null } },
  ])
  // a new quantity or another copy does not change the price
  await buyer.call(setCartQuantity, { id: line!.id, quantity: 1 })
  await buyer.call(addToCart, { productId, quantity: 1 })
  expect(await priceIn(buyer)).toMatchObject({ price: '4.25' })
  // a new suggestion does not change the chosen price
  await open.shop.database.pool.query('UPDATE products SET suggested_cents = 900 WHERE id = $1', [productId])
  expect(await pay(buyer, { amount: '8.50' })).toMatchObject({ total: '8.50', lines: [{ price: '4.25', quantity: 2 }] })
})

test('shows a minimum above the chosen price and requires it', async () => {
  const { id: productId } = await walks()
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId, quantity: 1, price: '3.50' })
  await open.shop.database.pool.query('UPDATE products SET price_cents = 400 WHERE id = $1', [productId])
  expect(await priceIn(buyer)).toMatchObject({ price: '4.00', wasPrice: '3.50' })
  await expect(buyer.call(startPayment, { amount: '3.50', ...usd })).rejects.toMatchObject({
    code: 'price_changed',
    details: { total: '4.00' },
  })
  await pay(buyer, { amount: '4.00' })
})

test('restores the chosen price to the cart after a canceled order', async () => {
  const { id: productId } = await walks()
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId, quantity: 1, price: '7.00' })
  const { orderId } = await buyer.call(startPayment, { amount: '7.00', ...usd })
  await buyer.call(cancelOrder, { id: orderId })
  expect(await priceIn(buyer)).toMatchObject({ price: '7.00', wasPrice: null })
})

test('shows the suggestion for lines added before buyers could choose', async () => {
  const { id: productId } = await addProduct(open.shop, { price: '6.00', title: 'Walks' })
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId, quantity: 1 })
  await open.shop.database.pool.query('UPDATE products SET price_cents = 300, suggested_cents = 900 WHERE id = $1', [
    productId,
  ])
  expect(await priceIn(buyer)).toMatchObject({ price: '9.00', least: '3.00', wasPrice: '6.00' })
  await expect(buyer.call(startPayment, { amount: '6.00', ...usd })).rejects.toMatchObject({
    code: 'price_changed',
    details: { total: '9.00' },
  })
  const [line] = await buyer.call(getCart, {})
  await buyer.call(setCartQuantity, { id: line!.id, quantity: 1, price: '6.00' })
  await pay(buyer, { amount: '6.00' })
})

test('charges the chosen price with Buy Now and rejects a forged one', async () => {
  const { id: productId } = await walks()
  const buyer = await open.shop.join()
  const items = (price: string) => [{ productId, quantity: 1, price }]
  for (const price of ['2.00', '0.00']) {
    await expect(buyer.call(startPayment, { ...usd, amount: '2.00', items: items(price) })).rejects.toMatchObject({
      status: 409,
      code: 'under_minimum',
      details: { least: '3.00' },
    })
  }
  await expect(buyer.call(startPayment, { ...usd, amount: '2.00', items: items('5.00') })).rejects.toMatchObject({
    code: 'price_changed',
  })
  const placing = { total: '2.00', paymentMethod: METHOD, source: 'product' as const }
  await expect(
    buyer.call(placeOrder, { ...placing, items: items('2.00'), paymentId: crypto.randomUUID() }),
  ).rejects.toMatchObject({ status: 409, code: 'under_minimum' })
  expect(await pay(buyer, { amount: '6.00', items: items('6.00') })).toMatchObject({
    total: '6.00',
    lines: [{ price: '6.00' }],
  })
})

test('completes a free order when the buyer chooses nothing and the minimum is nothing', async () => {
  const { id: productId } = await addProduct(open.shop, { price: '0.00', suggested: '2.00' })
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId, quantity: 4, price: '0.00' })
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 1, product: { price: '0.00' } }])
  const order = await buyer.call(placeOrder, {
    items: [{ productId, quantity: 1, price: '0.00' }],
    total: '0.00',
    paymentMethod: METHOD,
    paymentId: crypto.randomUUID(),
  })
  expect(order).toMatchObject({ status: 'completed', paymentMethod: 'free', total: '0.00' })
  // a buyer who paid nothing may buy again and pay
  expect(await pay(buyer, { amount: '2.00', items: [{ productId, quantity: 1 }] })).toMatchObject({ total: '2.00' })
})

test('limits a discount code on a chosen price to the minimum', async () => {
  const { product } = await openSeller(open.shop, { percent: 100 })
  await open.shop.database.pool.query('UPDATE products SET price_cents = 300, suggested_cents = 500 WHERE id = $1', [
    product.id,
  ])
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1, price: '8.00' })
  await buyer.call(applyDiscount, { code: 'quietweek' })
  expect(await pay(buyer, { amount: '3.00' })).toMatchObject({ total: '3.00', discounts: [{ amount: '5.00' }] })
})

test('limits the fee of a small amount to that amount', async () => {
  const { id: productId } = await addProduct(open.shop, { price: '0.10', suggested: '1.00' })
  const buyer = await open.shop.join()
  const { id } = await pay(buyer, { amount: '0.50', items: [{ productId, quantity: 1, price: '0.50' }] })
  const { rows } = await open.shop.database.pool.query(
    'SELECT gross_cents, fee_cents FROM earnings WHERE order_id = $1',
    [id],
  )
  expect(rows).toEqual([{ gross_cents: 50, fee_cents: 50 }])
})
