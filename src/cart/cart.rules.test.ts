import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange, bundleWith, type CartChange, cartCents, lineCents } from './cart.rules.ts'
import type { CartItem } from './cart.contract.ts'

const product = {
  price: '14.50',
  title: 'Bread',
  description: null,
  imageUrl: null,
  categoryId: 'ebooks',
  isActive: true,
}
const line = (productId: string, quantity: number): CartItem => ({
  id: `line-${productId}`,
  productId,
  quantity,
  product,
})
const cart = [line('a', 1), line('b', 2)]

test('adding a product that is in the cart increases the quantity of its line', () => {
  const after = applyChange(cart, { kind: 'add', productId: 'b', quantity: 3, product })
  expect(after.map(({ quantity }) => quantity)).toEqual([1, 5])
})

test('a restored line returns to its position', () => {
  const at = (minute: number) => `2026-11-26T12:0${minute}:00.000Z`
  const placed = [
    { ...line('a', 1), addedAt: at(1) },
    { ...line('c', 1), addedAt: at(3) },
  ]
  const back = { kind: 'add', productId: 'b', quantity: 1, product, addedAt: at(2) } as const
  expect(applyChange(placed, back).map(({ productId }) => productId)).toEqual(['a', 'b', 'c'])
})

test('adding a new product appends a line', () => {
  expect(applyChange(cart, { kind: 'add', productId: 'c', quantity: 1, product }).at(-1)).toMatchObject({
    productId: 'c',
    quantity: 1,
  })
})

test('shows a chosen price at once and reduces a free line to one copy', () => {
  const [paid] = applyChange(cart, { kind: 'quantity', productId: 'a', quantity: 2, price: '6.00' })
  expect(paid).toMatchObject({ quantity: 2, product: { price: '6.00' } })
  const [free] = applyChange(cart, { kind: 'quantity', productId: 'a', quantity: 2, price: '0.00' })
  expect(free).toMatchObject({ quantity: 1, product: { price: '0.00' } })
})

test('ignores a quantity for a removed line', () => {
  expect(applyChange(cart, { kind: 'quantity', productId: 'z', quantity: 4 })).toEqual(cart)
})

test('limits a line to the maximum quantity', () => {
  expect(applyChange([line('a', 9999)], { kind: 'add', productId: 'a', quantity: 9, product })[0]!.quantity).toBe(9999)
})

test('computes the cost of a line and the sum of a cart to the cent', () => {
  expect(lineCents(line('b', 2))).toBe(2900)
  expect(cartCents([])).toBe(0)
  expect(cartCents([{ ...line('a', 3), product: { ...product, price: '0.07' } }, line('b', 1)])).toBe(1471)
})

const productIds = fc.constantFrom('a', 'b', 'c')
const quantities = fc.integer({ min: 1, max: 9999 })
const change: fc.Arbitrary<CartChange> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    productId: productIds,
    quantity: quantities,
    product: fc.constant(product),
  }),
  fc.record({ kind: fc.constant('quantity' as const), productId: productIds, quantity: quantities }),
  fc.record({ kind: fc.constant('remove' as const), productId: productIds }),
  fc.constant({ kind: 'clear' as const }),
)

test('after any changes, each product has one line with a quantity of 1 to 9,999', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const after = changes.reduce(applyChange, cart)
      expect(new Set(after.map(({ productId }) => productId)).size).toBe(after.length)
      for (const { quantity } of after) expect(quantity >= 1 && quantity <= 9999).toBe(true)
    }),
  )
})

test('finds the bundle that contains the product of a line, unless the line is free', () => {
  const bundle = { ...line('bundle', 1), product: { ...product, title: 'Both', onceIds: ['a', 'b'] } }
  expect(bundleWith([line('a', 1), bundle], line('a', 1))).toBe('Both')
  expect(bundleWith([line('a', 1), bundle], bundle)).toBeUndefined()
  const free = { ...line('b', 1), product: { ...product, price: '0.00' } }
  expect(bundleWith([free, bundle], free)).toBeUndefined()
})
