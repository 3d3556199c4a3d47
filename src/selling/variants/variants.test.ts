import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { wrongBooks } from '../../../test/credit.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, SECRET, type Person } from '../../../test/shop.ts'
import { addToCart, getCart, removeFromCart } from '../../cart/cart.contract.ts'
import { applyDiscount } from '../../cart/discounts/discount.contract.ts'
import { CODE, sellProduct } from '../../../test/discount.ts'
import { addDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { getProduct, listProducts, setProductFiles } from '../../catalogue/catalogue.contract.ts'
import { cancelOrder, capturePayment, startPayment } from '../../checkout/checkout.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { addCodes } from '../../delivery/codes/codes.store.server.ts'
import { settleStock } from '../../delivery/codes/stock.store.server.ts'
import { endWait, startWait } from '../../delivery/codes/waits.contract.ts'
import { openCodeVault } from '../../delivery/codes/vault.server.ts'
import { validateLicense } from '../../delivery/licenses/licenseApi.contract.ts'
import { revealLicense } from '../../delivery/licenses/ownedLicense.contract.ts'
import { addLicenseToken, getLicenseSettings, saveLicenseTerms } from '../../delivery/licenses/soldLicenses.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { report } from '../../moderation/moderation.contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { listPurchases, listReviews, saveReview } from '../../reviews/reviews.contract.ts'
import {
  changeKind,
  editProduct,
  getOwnProduct,
  listOwnProducts,
  relistProduct,
  removeProduct,
  setVariants,
  withdrawProduct,
} from '../selling.contract.ts'

const open = openShopForTests({ BONUS_PERCENT: '0' }, { hasJobs: true })
const usd = { currency: 'USD', intent: 'capture' } as const
const db = () => open.shop.database.db

afterEach(async () => expect(await wrongBooks(open.shop)).toEqual([]))

const fresh = (count: number) => Array.from({ length: count }, () => randomBytes(8).toString('hex').toUpperCase())

async function stock(id: string, codes: string[]) {
  await addCodes(db(), openCodeVault(SECRET), id, codes)
  await inTransaction(db(), (tx) => settleStock(tx, id))
}

const asked = (name: string, price: string, more: { id?: string; isActive?: boolean } = {}) => ({
  ...{ name, price, isActive: true, ...more },
})

/** Creates a gift card with two variants. The first variant gets the codes. */
async function sellCard(codes = fresh(2)) {
  const seller = await open.shop.join()
  const { id } = await sellProduct(open.shop, seller, { title: 'Tea card', categoryId: 'gift-cards', codes })
  const { version } = await seller.call(getOwnProduct, { id })
  const variants = [asked('$10', '10.00'), asked('$25', '25.00')]
  const own = await seller.call(setVariants, { id, version, variants })
  const [ten, more] = own.variants
  return { seller, id, own, ten: ten!.id, more: more!.id }
}

async function pay(buyer: Person, input: { amount: string; items?: { productId: string; quantity: number }[] }) {
  const { id } = await buyer.call(startPayment, { ...usd, ...input })
  await provider(open.shop).approve(id)
  return (await buyer.call(capturePayment, { id })).order
}

const listed = async (id: string) => (await open.shop.call(listProducts, { limit: 200 })).find((one) => one.id === id)

test('sells the variants of a product as separate cart lines with their own prices and codes', async () => {
  const codes = fresh(1)
  const { seller, id, own, ten, more } = await sellCard()
  expect(own).toMatchObject({
    ...{ price: '10.00', stock: 2, status: 'listed' },
    variants: [
      { name: '$10', price: '10.00', stock: 2, isOnSale: true, isKept: true },
      { name: '$25', price: '25.00', stock: 0, isOnSale: false, isKept: false },
    ],
  })
  // a variant without codes does not affect the price
  await expect.poll(() => listed(id)).toMatchObject({ price: '10.00', most: '10.00', title: 'Tea card' })
  await stock(more, codes)
  await expect.poll(() => listed(id)).toMatchObject({ price: '10.00', most: '25.00' })
  expect(
    (await open.shop.call(listProducts, { limit: 200 })).filter(({ title }) => title.startsWith('Tea card –')),
  ).toEqual([])
  expect((await seller.call(listOwnProducts, {})).map((one) => one.id)).toEqual([id])
  // the id of a variant returns its product
  await expect
    .poll(() => open.shop.call(getProduct, { id: more }))
    .toMatchObject({
      id,
      variants: [
        { id: ten, name: '$10', isActive: true },
        { id: more, isActive: true },
      ],
    })

  const buyer = await open.shop.join()
  await expect(buyer.call(addToCart, { productId: id, quantity: 1 })).rejects.toMatchObject({
    status: 409,
    code: 'variant_missing',
  })
  // a cart line from before the product had variants links to the choice of a variant
  await db()
    .insertInto('cartItems')
    .values({ userId: buyer.id, productId: id, quantity: 1, priceCents: 1000 })
    .execute()
  const [former] = await buyer.call(getCart, {})
  expect(former!.product).toMatchObject({ isActive: false, choiceId: id })
  await buyer.call(removeFromCart, { id: former!.id })
  const direct = { ...usd, amount: '10.00', items: [{ productId: id, quantity: 1 }] }
  await expect(buyer.call(startPayment, direct)).rejects.toMatchObject({ status: 409, code: 'variant_missing' })
  await buyer.call(addToCart, { productId: ten, quantity: 2 })
  expect(await buyer.call(addToCart, { productId: more, quantity: 1 })).toMatchObject([
    { productId: ten, quantity: 2, product: { title: 'Tea card – $10', price: '10.00', choiceId: null } },
    { productId: more, quantity: 1, product: { title: 'Tea card – $25', price: '25.00' } },
  ])
  const order = await pay(buyer, { amount: '45.00' })
  const titles = order.lines.map(({ title, price }) => `${title} ${price}`)
  expect(titles.sort()).toEqual(['Tea card – $10 10.00', 'Tea card – $25 25.00'])
  const dear = order.lines.find(({ productId }) => productId === more)!
  expect((await buyer.call(revealCodes, { id: order.id, lineId: dear.id })).codes.map(({ code }) => code)).toEqual(
    codes,
  )
  // the product is sold out, because all variants are
  await expect.poll(() => listed(id)).toBe(undefined)
  await expect.poll(() => open.shop.call(getProduct, { id })).toMatchObject({ isOutOfStock: true, isActive: false })
  expect(await seller.call(getOwnProduct, { id })).toMatchObject({
    sales: 2,
    stock: 0,
    variants: [{ sales: 1 }, { sales: 1 }],
  })
  // the review of a variant belongs to the product
  const [purchase] = await buyer.call(listPurchases, { id })
  await buyer.call(saveReview, { lineId: purchase!.lineId, stars: 5, text: 'It works.' })
  await stock(ten, fresh(1))
  await expect.poll(() => open.shop.call(listReviews, { id }).catch(() => null)).toMatchObject([{ text: 'It works.' }])
})

test('moves existing codes to the variant that has the former price of the product', async () => {
  const seller = await open.shop.join()
  const given = { title: 'Bean card', price: '25.00', categoryId: 'gift-cards', codes: fresh(3) }
  const { id } = await sellProduct(open.shop, seller, given)
  const { version } = await seller.call(getOwnProduct, { id })
  const save = (...variants: ReturnType<typeof asked>[]) => seller.call(setVariants, { id, version, variants })
  await expect(save(asked('$10', '10.00'), asked('$50', '50.00'))).rejects.toMatchObject({
    status: 409,
    code: 'codes_without_variant',
    message: expect.stringContaining('$25.00') as string,
  })
  const own = await save(asked('$10', '10.00'), asked('$25', '25.00'))
  expect(own.variants).toMatchObject([
    { name: '$10', stock: 0, isOnSale: false },
    { name: '$25', stock: 3, isOnSale: true },
  ])
  const variantId = own.variants[1]!.id
  // a variant can be removed only in the list of its product and has the picture of the product
  await expect(seller.call(removeProduct, { id: variantId })).rejects.toMatchObject({ status: 404 })
  await expect(seller.call(setProductFiles, { id: variantId, imageURL: '/objects/x' })).rejects.toMatchObject({
    code: 'of_product',
  })
})

test('lets only buyers of a product or its variants report it while it is off sale', async () => {
  const { seller, id, ten } = await sellCard()
  const [buyer, other] = [await open.shop.join(), await open.shop.join()]
  await pay(buyer, { amount: '10.00', items: [{ productId: ten, quantity: 1 }] })
  const { ten: another } = await sellCard()
  await pay(other, { amount: '10.00', items: [{ productId: another, quantity: 1 }] })
  await seller.call(withdrawProduct, { id })
  const said = { reason: 'different', note: 'It is wrong.' } as const
  await expect(other.call(report, { id, ...said })).rejects.toMatchObject({ status: 404 })
  // the report case is about the product
  await buyer.call(report, { id: ten, ...said })
  const cases = await db().selectFrom('reportCases').select('productId').where('productId', 'in', [id, ten]).execute()
  expect(cases).toEqual([{ productId: id }])
})

test('notifies a waiting buyer when the variant is back in stock', async () => {
  const { ten, more } = await sellCard()
  const buyer = await open.shop.join()
  await expect(buyer.call(startWait, { id: ten })).rejects.toMatchObject({ status: 409, code: 'in_stock' })
  await stock(more, fresh(1))
  await pay(await open.shop.join(), { amount: '25.00', items: [{ productId: more, quantity: 1 }] })
  await expect.poll(() => buyer.call(startWait, { id: more }).catch(() => null)).toMatchObject({ isWaiting: true })
  await stock(more, fresh(1))
  await expect
    .poll(async () =>
      (await db().selectFrom('mails').select('subject').where('recipient', '=', buyer.email).execute()).map(
        ({ subject }) => subject,
      ),
    )
    .toContain('“Tea card – $25” is back in stock')
  await buyer.call(endWait, { id: more })
})

test('shows a changed price of a variant before payment and applies discount codes of the product', async () => {
  const { seller, id, own, ten, more } = await sellCard()
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: ten, quantity: 1 })
  const variants = [asked('$10', '11.00', { id: ten }), asked('$25', '25.00', { id: more })]
  await seller.call(setVariants, { id, version: own.version, variants })
  expect(await buyer.call(getCart, {})).toMatchObject([{ product: { price: '11.00', wasPrice: '10.00' } }])
  await expect(buyer.call(startPayment, { ...usd, amount: '10.00' })).rejects.toMatchObject({
    code: 'price_changed',
    details: { total: '11.00', items: [{ productId: ten, price: '11.00' }] },
  })
  const code = `V${randomBytes(4).toString('hex').toUpperCase()}`
  await seller.call(addDiscount, { ...CODE, code, percent: 50, productIds: [id] })
  await buyer.call(applyDiscount, { code })
  expect(await pay(buyer, { amount: '5.50' })).toMatchObject({ total: '5.50' })
})

test('rejects the deletion of a sold variant, which can be withdrawn, renamed and moved', async () => {
  const { seller, id, own, ten, more } = await sellCard()
  const buyer = await open.shop.join()
  await pay(buyer, { amount: '10.00', items: [{ productId: ten, quantity: 1 }] })
  const save = async (variants: ReturnType<typeof asked>[], who = seller) =>
    who.call(setVariants, { id, version: (await seller.call(getOwnProduct, { id })).version, variants })
  await expect(save([asked('$25', '25.00', { id: more })])).rejects.toMatchObject({ status: 409, code: 'sold' })
  await expect(save([], buyer)).rejects.toMatchObject({ status: 404 })
  await expect(seller.call(setVariants, { id, version: own.version + 9, variants: [] })).rejects.toMatchObject({
    code: 'changed',
  })
  await expect(save([asked('$10', '10.00', { id: crypto.randomUUID() })])).rejects.toMatchObject({ code: 'changed' })
  await expect(save([asked('A', '1.00', { id: ten }), asked('a', '2.00')])).rejects.toMatchObject({ status: 400 })
  await expect(save([asked('A', '0.00', { id: ten })])).rejects.toMatchObject({ status: 400 })
  // the price of the product comes from its variants, and its kind cannot change
  const { description, categoryId, version } = own
  const edited = await seller.call(editProduct, {
    id,
    title: 'Green tea card',
    description,
    categoryId,
    version,
    price: '99.00',
  })
  expect(edited).toMatchObject({ price: '10.00', title: 'Green tea card' })
  await expect(seller.call(changeKind, { id, delivery: 'file' })).rejects.toMatchObject({ code: 'has_variants' })
  const after = await save([asked('Fifty', '50.00'), asked('Ten', '10.00', { id: ten, isActive: false })])
  expect(after.variants).toMatchObject([{ name: 'Fifty' }, { id: ten, name: 'Ten', isActive: false, isOnSale: false }])
  await expect(buyer.call(addToCart, { productId: ten, quantity: 1 })).rejects.toMatchObject({ status: 404 })
  await expect(buyer.call(addToCart, { productId: more, quantity: 1 })).rejects.toMatchObject({ status: 404 })
  // the order of the buyer still has its title and its code
  const [line] = await buyer.call(listPurchases, { id })
  expect(await buyer.call(getOrder, { id: line!.orderId })).toMatchObject({
    lines: [{ title: 'Tea card – $10', delivery: { kind: 'code' } }],
  })
})

test('withdraws, relists and deletes variants together with their product', async () => {
  const { seller, id, ten } = await sellCard()
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: ten, quantity: 1 })
  await seller.call(withdrawProduct, { id })
  expect(await buyer.call(getCart, {})).toMatchObject([{ product: { isActive: false } }])
  await seller.call(relistProduct, { id })
  expect(await buyer.call(getCart, {})).toMatchObject([{ product: { isActive: true } }])
  await seller.call(removeProduct, { id })
  await expect(buyer.call(startPayment, { ...usd, amount: '10.00' })).rejects.toMatchObject({ status: 409 })
})

test('returns a code of a cancelled payment to the first variant if variants were added meanwhile', async () => {
  const seller = await open.shop.join()
  const [code] = fresh(1)
  const { id } = await sellProduct(open.shop, seller, {
    title: 'Coffee card',
    categoryId: 'gift-cards',
    codes: [code!],
  })
  const buyer = await open.shop.join()
  const items = [{ productId: id, quantity: 1 }]
  const { orderId } = await buyer.call(startPayment, { ...usd, amount: '10.00', items })
  await open.shop.database.pool.query(
    `UPDATE codes SET state = 'held', payment_id = p.id, order_line_id = l.id FROM payments p JOIN order_lines l USING (order_id)
      WHERE p.order_id = $1 AND codes.product_id = $2`,
    [orderId, id],
  )
  const { version } = await seller.call(getOwnProduct, { id })
  const own = await seller.call(setVariants, { id, version, variants: [asked('$10', '10.00')] })
  expect(own.variants).toMatchObject([{ stock: 0 }])
  await buyer.call(cancelOrder, { id: orderId })
  await expect
    .poll(async () => (await seller.call(getOwnProduct, { id })).variants)
    .toMatchObject([{ stock: 1, isOnSale: true }])
})

test('licence tiers have separate terms, and one token of the product validates the keys of all tiers', async () => {
  const seller = await open.shop.join()
  const { id } = await sellProduct(open.shop, seller, { title: 'Grid', categoryId: 'software' })
  await seller.call(changeKind, { id, delivery: 'license' })
  await seller.call(saveLicenseTerms, { id, prefix: 'GRID', devicesPerSeat: 2, validDays: null })
  const { version } = await seller.call(getOwnProduct, { id })
  const { variants } = await seller.call(setVariants, {
    id,
    version,
    variants: [asked('Solo', '10.00'), asked('Team', '40.00')],
  })
  const [solo, team] = variants.map((one) => one.id)
  expect(await seller.call(getLicenseSettings, { id: team! })).toMatchObject({ prefix: 'GRID', devicesPerSeat: 2 })
  await seller.call(saveLicenseTerms, { id: team!, prefix: 'TEAM', devicesPerSeat: 10, validDays: 30 })
  await expect
    .poll(() => open.shop.call(getProduct, { id }))
    .toMatchObject({ devices: null, variants: [{ devices: 2 }, { devices: 10 }] })
  const { token } = await seller.call(addLicenseToken, { id })
  const buyer = await open.shop.join()
  const headers = { authorization: `Bearer ${token}` }
  for (const [variantId, amount, variant, limit] of [
    [solo!, '10.00', 'Solo', 2],
    [team!, '40.00', 'Team', 10],
  ] as const) {
    const order = await pay(buyer, { amount, items: [{ productId: variantId, quantity: 1 }] })
    const [line] = order.lines
    expect(line).toMatchObject({
      title: `Grid – ${variant}`,
      delivery: { kind: 'license', devices: limit, file: { fileName: 'book.txt' } },
    })
    // every tier includes the files of its product
    await buyer.call(grantDownload, { id: order.id, lineId: line!.id })
    const { key } = await buyer.call(revealLicense, { id: order.id, lineId: line!.id })
    expect(await open.shop.call(validateLicense, { key }, { headers })).toMatchObject({
      productId: variantId,
      variant,
      devices: { limit },
    })
  }
})
