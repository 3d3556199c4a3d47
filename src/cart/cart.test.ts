import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dispute } from '../../test/dispute.ts'
import { addProduct } from '../../test/goods.ts'
import { buyMany } from '../../test/order.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests } from '../../test/shop.ts'
import { capturePayment, startPayment } from '../checkout/checkout.contract.ts'
import { bundleWith } from './cart.rules.ts'
import { addToCart, clearCart, getCart, MAX_QUANTITY, removeFromCart, setCartQuantity } from './cart.contract.ts'

const open = openShopForTests()

async function bundleOf(title: string, products: { id: string }[]) {
  const { db } = open.shop.database
  const bundle = await addProduct(open.shop, { price: '15.00', title })
  await db.updateTable('products').set({ delivery: 'bundle', fileId: null }).where('id', '=', bundle.id).execute()
  const parts = products.map(({ id }, position) => ({ bundleId: bundle.id, productId: id, position }))
  await db.insertInto('bundleParts').values(parts).execute()
  return bundle
}

test('adding the same product twice adds up in one line', async () => {
  const product = await addProduct(open.shop, { price: '3.10' })
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const cart = await buyer.call(addToCart, { productId: product.id, quantity: 2 })
  expect(cart).toMatchObject([{ productId: product.id, quantity: 3, product: { price: '3.10', isActive: true } }])
})

test('a line shows whether one copy is enough and which products the shopper can already open', async () => {
  const [file, code, course] = [
    await addProduct(open.shop, { title: 'Book' }),
    await addProduct(open.shop, { codes: ['A-1', 'A-2'] }),
    await addProduct(open.shop, { title: 'Course' }),
  ]
  const { db } = open.shop.database
  await db.updateTable('products').set({ delivery: 'course' }).where('id', '=', course.id).execute()
  const bundle = await bundleOf('Both', [course, file])
  const buyer = await open.shop.join()
  const order = await buyMany(open.shop, buyer, [{ product: course }])
  for (const { id } of [file, code, course, bundle]) await buyer.call(addToCart, { productId: id, quantity: 1 })
  const readCart = async () =>
    (await buyer.call(getCart, {})).map(({ product: { isOneEnough, owned } }) => [isOneEnough, owned])
  expect(await readCart()).toEqual([
    [true, null],
    [false, null],
    [true, ['Course']],
    [true, ['Course']],
  ])
  // a disputed copy cannot be opened
  const disputed = await dispute(open.shop, order.id)
  expect((await readCart()).map(([, owned]) => owned)).toEqual([null, null, null, null])
  await disputed.end('win')
  expect((await readCart()).at(-1)).toEqual([true, ['Course']])
})

test('a cart of one line shows an owned product or an owned part of a bundle', async () => {
  const [owned, other] = [await addProduct(open.shop, { title: 'Owned' }), await addProduct(open.shop)]
  const bundle = await bundleOf('Both', [other, owned])
  const buyer = await open.shop.join()
  await buyMany(open.shop, buyer, [{ product: owned }])
  for (const [{ id }, titles] of [
    [owned, ['Owned']],
    [bundle, ['Owned']],
    [other, null],
  ] as const) {
    const added = await buyer.call(addToCart, { productId: id, quantity: 1 })
    expect(added.map(({ product }) => product.owned)).toEqual([titles])
    expect(await buyer.call(getCart, {})).toEqual(added)
    await buyer.call(clearCart, {})
  }
})

test('a bundle combines the properties of its parts', async () => {
  const book = await addProduct(open.shop, { title: 'Book' })
  const poems = await addProduct(open.shop, { title: 'Poems' })
  const card = await addProduct(open.shop, { title: 'Card', categoryId: 'gift-cards', codes: ['B-1'] })
  const buyer = await open.shop.join()
  for (const product of [await bundleOf('Words', [poems, book]), await bundleOf('Gift', [card, book]), book])
    await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  expect((await buyer.call(getCart, {})).map(({ product }) => product)).toMatchObject([
    { parts: ['Poems', 'Book'], isOneEnough: true, isCash: false, earns: true, least: '0.02' },
    { parts: ['Card', 'Book'], isOneEnough: false, isCash: true, earns: false, least: '0.02' },
    { parts: null, isOneEnough: true, isCash: false, earns: true, least: '0.00' },
  ])
})

test('counts twenty concurrent additions', async () => {
  const product = await addProduct(open.shop)
  const buyer = await open.shop.join()
  await Promise.all(Array.from({ length: 20 }, () => buyer.call(addToCart, { productId: product.id, quantity: 1 })))
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 20 }])
})

test('changes do not affect the order of lines', async () => {
  const buyer = await open.shop.join()
  const ids: string[] = []
  for (const title of ['one', 'two', 'three']) {
    const { id } = await addProduct(open.shop, { title })
    ids.push(id)
    await buyer.call(addToCart, { productId: id, quantity: 1 })
  }
  const [first, second] = await buyer.call(getCart, {})
  const changed = await buyer.call(setCartQuantity, { id: first!.id, quantity: 7 })
  expect(changed.map(({ productId }) => productId)).toEqual(ids)
  const left = await buyer.call(removeFromCart, { id: second!.id })
  expect(left.map(({ productId }) => productId)).toEqual([ids[0], ids[2]])
  expect(await buyer.call(clearCart, {})).toEqual([])
  expect(await buyer.call(getCart, {})).toEqual([])
})

test('a removed line that is restored returns to its position', async () => {
  const products = await Promise.all([1, 2, 3].map(() => addProduct(open.shop)))
  const buyer = await open.shop.join()
  for (const { id } of products) await buyer.call(addToCart, { productId: id, quantity: 1 })
  const before = await buyer.call(getCart, {})
  const { id, productId, addedAt } = before[1]!
  await buyer.call(removeFromCart, { id })
  // a restored line with a later time goes to the end
  const after = await buyer.call(addToCart, { productId, quantity: 1, addedAt: addedAt! })
  expect(after.map((line) => line.productId)).toEqual(before.map((line) => line.productId))
  await buyer.call(removeFromCart, { id: after[0]!.id })
  const late = await buyer.call(addToCart, {
    productId: after[0]!.productId,
    quantity: 1,
    addedAt: '2999-01-01T00:00:00Z',
  })
  expect(late.at(-1)!.productId).toBe(after[0]!.productId)
})

test('an order of a bundle and its part gives the buyer the copy in the bundle, and makes the other a gift', async () => {
  const [book, other] = [await addProduct(open.shop, { title: 'Book' }), await addProduct(open.shop)]
  const bundle = await bundleOf('Both', [book, other])
  const buyer = await open.shop.join()
  for (const { id } of [book, bundle]) await buyer.call(addToCart, { productId: id, quantity: 1 })
  const cart = await buyer.call(getCart, {})
  expect(cart.map((line) => bundleWith(cart, line))).toEqual(['Both', undefined])
  const { id } = await buyer.call(startPayment, { amount: '25.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  const { order } = await buyer.call(capturePayment, { id })
  expect(order.lines.map(({ bundle: own, isToGive }) => [own?.title ?? null, isToGive])).toEqual([
    [null, true],
    ['Both', false],
    ['Both', false],
  ])
})

test("a member cannot change or remove another member's line", async () => {
  const product = await addProduct(open.shop)
  const owner = await open.shop.join()
  const [line] = await owner.call(addToCart, { productId: product.id, quantity: 1 })
  const other = await open.shop.join()
  await expect(other.call(setCartQuantity, { id: line!.id, quantity: 5 })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(removeFromCart, { id: line!.id })).rejects.toMatchObject({ status: 404 })
  await other.call(clearCart, {})
  expect(await owner.call(getCart, {})).toMatchObject([{ quantity: 1 }])
})

test.each(['undefined', 'null', '', '%20', '0', '[object Object]'])(
  'DELETE /api/cart/%s answers 404 and removes nothing',
  async (id) => {
    const product = await addProduct(open.shop)
    const buyer = await open.shop.join()
    await buyer.call(addToCart, { productId: product.id, quantity: 1 })
    const response = await fetch(`${open.shop.url}/api/cart/${id}`, {
      method: 'DELETE',
      headers: { cookie: buyer.cookie },
    })
    expect(response.status).toBe(404)
    expect(await response.json()).toHaveProperty('message')
    expect(await buyer.call(getCart, {})).toHaveLength(1)
  },
)

test('a quantity is a whole number from 1 to 9,999', async () => {
  const product = await addProduct(open.shop)
  const buyer = await open.shop.join()
  const bad = fc.oneof(
    fc.integer({ max: 0 }),
    fc.integer({ min: MAX_QUANTITY + 1 }),
    fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom('2', null, true, [1], {}),
  )
  await fc.assert(
    fc.asyncProperty(bad, async (quantity) => {
      const response = await fetch(`${open.shop.url}/api/cart`, {
        method: 'POST',
        headers: { cookie: buyer.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ productId: product.id, quantity }),
      })
      return response.status === 400
    }),
    { numRuns: 60 },
  )
  await buyer.call(addToCart, { productId: product.id, quantity: MAX_QUANTITY })
  await expect(buyer.call(addToCart, { productId: product.id, quantity: 1 })).rejects.toMatchObject({
    status: 409,
    code: 'too_many_of_one',
  })
})

test('rejects an unknown or unlisted product', async () => {
  const buyer = await open.shop.join()
  await expect(buyer.call(addToCart, { productId: crypto.randomUUID(), quantity: 1 })).rejects.toMatchObject({
    status: 404,
  })
  const product = await addProduct(open.shop)
  await open.shop.database.db.updateTable('products').set({ isActive: false }).where('id', '=', product.id).execute()
  await expect(buyer.call(addToCart, { productId: product.id, quantity: 1 })).rejects.toMatchObject({ status: 404 })
})
