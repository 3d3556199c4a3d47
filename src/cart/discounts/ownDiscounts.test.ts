import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { CODE, editCode, openSeller, sellProduct } from '../../../test/discount.ts'
import { applyDiscount } from './discount.contract.ts'
import {
  addDiscount,
  changeDiscount,
  type DiscountWords,
  getOwnDiscount,
  listOwnDiscounts,
  removeDiscountCode,
  setDiscountState,
} from './ownDiscounts.contract.ts'

const open = openShopForTests()
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

test('a seller creates, lists and changes codes; codes of a seller are unique, ignoring case', async () => {
  const { seller, product, code } = await openSeller(open.shop, { code: ' quietWeek ', mostUses: 50 })
  expect(code).toMatchObject({
    code: 'QUIETWEEK',
    percent: 20,
    products: null,
    state: 'active',
    uses: 0,
    revenue: '0.00',
  })
  expect(code).toMatchObject({ isUsed: false, linkProductId: product.id })
  await expect(seller.call(addDiscount, { ...CODE, code: 'quietweek' })).rejects.toMatchObject({
    status: 409,
    code: 'code_taken',
  })
  const other = await open.shop.join()
  await other.call(addDiscount, CODE)
  const change = { code: 'NIGHT2', percent: null, amount: '2.5', productIds: [product.id] }
  const changed = await editCode(seller, code.id, change)
  expect(changed).toMatchObject({ code: 'NIGHT2', percent: null, amount: '2.50', mostUses: null })
  expect(changed.products).toEqual([{ id: product.id, title: 'A small book' }])
  for (const name of ['SECOND', 'THIRD']) await seller.call(addDiscount, { ...CODE, code: name })
  const codes = await seller.call(listOwnDiscounts, {})
  expect(codes.map((one) => one.code)).toEqual(['THIRD', 'SECOND', 'NIGHT2'])
  const path = `${open.shop.url}/api/account/discounts?limit=2`
  const first = await fetch(path, { headers: { cookie: seller.cookie } })
  expect(first.headers.get('x-total-count')).toBe('3')
  const [, next] = /<(.+)>/.exec(first.headers.get('link')!)!
  const rest = await fetch(open.shop.url + next!, { headers: { cookie: seller.cookie } })
  expect(((await rest.json()) as { code: string }[]).map((one) => one.code)).toEqual(['NIGHT2'])
})

test.each<[string, Partial<DiscountWords>, number]>([
  ['a percentage and an amount', { amount: '1.00' }, 400],
  ['neither', { percent: null }, 400],
  ['0 %', { percent: 0 }, 400],
  ['101 %', { percent: 101 }, 400],
  ['half a percent', { percent: 0.5 }, 400],
  ['no money', { percent: null, amount: '0.00' }, 400],
  ['a code of three letters', { code: 'ABC' }, 400],
  ['a code in Cyrillic letters', { code: 'КОДЫ' }, 400],
  ['an end before the start', { startsAt: ago(1), endsAt: ago(2) }, 400],
  ['a day that is none', { startsAt: 'tomorrow' }, 400],
  ['no uses', { mostUses: 0 }, 400],
  ['no chosen product', { productIds: [] }, 400],
  ['a product that does not exist', { productIds: [crypto.randomUUID()] }, 404],
])('refuses %s', async (_, change, status) => {
  const seller = await open.shop.join()
  await expect(seller.call(addDiscount, { ...CODE, ...change })).rejects.toMatchObject({ status })
  expect(await seller.call(listOwnDiscounts, {})).toEqual([])
})

test('rejects products and codes of other sellers', async () => {
  const [mine, other] = [await openSeller(open.shop), await openSeller(open.shop)]
  const words = { ...CODE, code: 'OTHERS', productIds: [mine.product.id, other.product.id] }
  await expect(mine.seller.call(addDiscount, words)).rejects.toMatchObject({ status: 404 })
  const { id } = other.code
  const calls = [
    () => mine.seller.call(getOwnDiscount, { id }),
    () => mine.seller.call(changeDiscount, { id, version: 1, ...CODE }),
    () => mine.seller.call(setDiscountState, { id, state: 'ended' }),
    () => mine.seller.call(removeDiscountCode, { id }),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 404 })
  expect(await other.seller.call(listOwnDiscounts, {})).toEqual([other.code])
})

test('a code is planned, paused, resumed and ended, and works only in between', async () => {
  const { seller, product, code } = await openSeller(open.shop, { startsAt: ago(-24) })
  const buyer = await open.shop.join()
  const apply = () => buyer.call(applyDiscount, { code: code.code, productId: product.id })
  const refused = async (text: RegExp) =>
    expect(apply()).rejects.toMatchObject({ status: 409, code: 'discount_over', message: expect.stringMatching(text) })
  expect(code.state).toBe('planned')
  await refused(/hasn’t started yet/)
  const { id } = code
  expect((await editCode(seller, id, { startsAt: ago(1) })).state).toBe('active')
  expect((await apply()).discount).toMatchObject({ code: 'QUIETWEEK', percent: 20, amount: null })
  expect((await seller.call(setDiscountState, { id, state: 'paused' })).state).toBe('paused')
  await refused(/The seller has paused QUIETWEEK/)
  expect((await seller.call(setDiscountState, { id, state: 'active' })).state).toBe('active')
  await apply()
  const ended = await seller.call(setDiscountState, { id, state: 'ended' })
  expect(ended.state).toBe('ended')
  await refused(/QUIETWEEK has ended/)
  for (const state of ['active', 'paused', 'ended'] as const)
    await expect(seller.call(setDiscountState, { id, state })).rejects.toMatchObject({ status: 409, code: 'ended' })
  expect((await editCode(seller, id, { endsAt: ago(-1) })).state).toBe('active')
  await apply()
})

test('a planned code can be ended before it starts', async () => {
  const { seller, code } = await openSeller(open.shop, { startsAt: ago(-24), endsAt: ago(-48) })
  expect((await seller.call(setDiscountState, { id: code.id, state: 'ended' })).state).toBe('ended')
})

test('rejects an edit of an older version and saves one of ten concurrent edits', async () => {
  const { seller, code } = await openSeller(open.shop)
  const { id, version } = code
  const save = (percent: number) => seller.call(changeDiscount, { ...CODE, id, version, percent })
  const edits = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => save(i + 1)))
  expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const refused of edits.filter((one) => one.status === 'rejected'))
    expect(refused.reason).toMatchObject({ status: 409, code: 'changed' })
  expect(await seller.call(getOwnDiscount, { id })).toMatchObject({ version: version + 1 })
  // a pause does not change the version. An end does, so that an older edit cannot undo it
  await seller.call(setDiscountState, { id, state: 'paused' })
  await editCode(seller, id, { percent: 30 })
  const { version: seen } = await seller.call(setDiscountState, { id, state: 'active' })
  await seller.call(setDiscountState, { id, state: 'ended' })
  await expect(seller.call(changeDiscount, { ...CODE, id, version: seen })).rejects.toMatchObject({ code: 'changed' })
  expect(await seller.call(getOwnDiscount, { id })).toMatchObject({ state: 'ended', percent: 30 })
})

test('the link of a code leads to a product on sale that the code fits', async () => {
  const { seller, product } = await openSeller(open.shop)
  const newer = await sellProduct(open.shop, seller)
  const chosen = await seller.call(addDiscount, { ...CODE, code: 'CHOSEN', productIds: [product.id] })
  expect(chosen.linkProductId).toBe(product.id)
  expect((await seller.call(addDiscount, { ...CODE, code: 'NEWEST' })).linkProductId).toBe(newer.id)
  expect((await (await open.shop.join()).call(addDiscount, CODE)).linkProductId).toBe(null)
})
