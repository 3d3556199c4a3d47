import { expect, test } from 'vitest'
import { CODE, openSeller, sellProduct } from '../../../test/discount.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { applyDiscount } from '../../cart/discounts/discount.contract.ts'
import { addDiscount, listOwnDiscounts } from '../../cart/discounts/ownDiscounts.contract.ts'
import { cancelOrder, capturePayment, startPayment } from '../../checkout/checkout.contract.ts'
import { getSale } from '../sales/sales.contract.ts'
import { type DiscountUse, listDiscountUses } from './discountUses.contract.ts'

const open = openShopForTests({ BONUS_PERCENT: '0' })

async function fillCart(buyer: Person, code: string, ...productIds: string[]) {
  for (const productId of productIds) await buyer.call(addToCart, { productId, quantity: 1 })
  await buyer.call(applyDiscount, { code })
}

const start = (buyer: Person, amount: string) =>
  buyer.call(startPayment, { amount, currency: 'USD', intent: 'capture' })

async function pay(buyer: Person, amount: string) {
  const { id } = await start(buyer, amount)
  await provider(open.shop).approve(id)
  return (await buyer.call(capturePayment, { id })).order
}

test('lists who used a code, newest first, and names a buyer only after the payment', async () => {
  const { seller, product, code } = await openSeller(open.shop)
  const [mira, late] = [await open.shop.join({ firstName: 'Mira' }), await open.shop.join({ firstName: 'Leo' })]
  const readUses = () => seller.call(listDiscountUses, { id: code.id })
  expect(await readUses()).toEqual([])
  for (const buyer of [mira, late, seller]) await fillCart(buyer, code.code, product.id)
  const order = await pay(mira, '8.00')
  const own = await pay(seller, '8.00')
  const { orderId } = await start(late, '8.00')
  const saleId = order.lines[0]?.id
  const usedAt = expect.any(String)
  const paid = {
    number: order.id.slice(-8),
    usedAt,
    paid: '8.00',
    sale: { id: saleId, buyerName: 'Mira P.', isOwn: false },
  }
  expect(await readUses()).toEqual([
    { number: orderId.slice(-8), usedAt, paid: '8.00', sale: null },
    {
      number: own.id.slice(-8),
      usedAt,
      paid: '8.00',
      sale: { id: own.lines[0]?.id, buyerName: 'Sally P.', isOwn: true },
    },
    paid,
  ])

  await late.call(cancelOrder, { id: orderId })
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'a page is missing')).id)
  await open.shop.database.pool.query('UPDATE users SET erased_at = now() WHERE id = $1', [mira.id])
  const uses = await readUses()
  expect(uses.map(({ sale }) => sale?.buyerName)).toEqual(['Sally P.', 'Former member'])
  expect(uses[1]).toMatchObject({ paid: '8.00' })
  expect(await seller.call(listOwnDiscounts, {})).toMatchObject([{ uses: uses.length }])
})

test('links a use to the first discounted sale of its order', async () => {
  const { seller, product: other } = await openSeller(open.shop)
  const chosen = await sellProduct(open.shop, seller, { title: 'Chosen' })
  const code = await seller.call(addDiscount, { ...CODE, code: 'CHOSEN', productIds: [chosen.id] })
  const buyer = await open.shop.join()
  await fillCart(buyer, 'CHOSEN', other.id, chosen.id)
  await pay(buyer, '18.00')
  const [use] = await seller.call(listDiscountUses, { id: code.id })
  expect(use).toMatchObject({ paid: '8.00' })
  expect(await seller.call(getSale, { id: use?.sale?.id ?? '' })).toMatchObject({ title: 'Chosen', discount: '2.00' })
})

test('lists each use once across pages, even with equal times, and the uses of no other seller', async () => {
  const { seller, product, code } = await openSeller(open.shop)
  for (let i = 0; i < 3; i++) {
    const buyer = await open.shop.join()
    await fillCart(buyer, code.code, product.id)
    await pay(buyer, '8.00')
  }
  const { pool } = open.shop.database
  await pool.query('UPDATE discount_uses SET created_at = now() WHERE discount_id = $1', [code.id])
  const { rows } = await pool.query<{ indexdef: string }>(
    "SELECT indexdef FROM pg_indexes WHERE indexname = 'discount_uses_newest'",
  )
  expect(rows[0]?.indexdef).toContain('(discount_id, created_at DESC, order_id DESC) WHERE (returned_at IS NULL)')
  const seen: string[] = []
  for (let path: string | undefined = `/api/selling/discounts/${code.id}/uses?limit=2`; path;) {
    const response: Response = await fetch(open.shop.url + path, { headers: { cookie: seller.cookie } })
    expect(response.headers.get('x-total-count')).toBe('3')
    seen.push(...((await response.json()) as DiscountUse[]).map(({ number }) => number))
    path = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  expect([seen.length, new Set(seen).size]).toEqual([3, 3])

  const stranger = await openSeller(open.shop)
  for (const id of [code.id, crypto.randomUUID()])
    await expect(stranger.seller.call(listDiscountUses, { id })).rejects.toMatchObject({ status: 404 })
  expect(await stranger.seller.call(listDiscountUses, { id: stranger.code.id })).toEqual([])
  await expect(open.shop.call(listDiscountUses, { id: code.id })).rejects.toMatchObject({ status: 401 })
  await expect(seller.call(listDiscountUses, { id: code.id, after: 'x' })).rejects.toMatchObject({ status: 400 })
})
