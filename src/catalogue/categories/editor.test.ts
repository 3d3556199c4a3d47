import { expect, test, vi } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { addToCart, getCart } from '../../cart/cart.contract.ts'
import { listAudit } from '../../identity/audit/audit.contract.ts'
import { getCredit } from '../../payments/credit.contract.ts'
import { createProduct, listCategories } from '../catalogue.contract.ts'
import { addCategory, changeCategory, getCategoryBook, orderCategories, removeCategory } from './editor.contract.ts'

const open = openShopForTests()
const joinAdmin = () => open.shop.join({ isAdmin: true })
const shown = async () => (await open.shop.call(listCategories, {})).map(({ id }) => id)
const prints = { name: 'Prints & Maps', icon: 'picture', isCash: false, earnsBonus: true, sellsPrograms: false }

test('adds, renames, sorts and deletes categories, and updates the public list', async () => {
  const staff = await joinAdmin()
  const before = await shown()
  expect((await staff.call(getCategoryBook, {})).categories.map(({ id }) => id)).toEqual(before)
  await staff.call(addCategory, prints)
  await vi.waitFor(async () => expect(await shown()).toEqual([...before, 'prints-maps']), 20_000)
  await expect(staff.call(addCategory, prints)).rejects.toMatchObject({ status: 409, code: 'name_taken' })
  const taken = staff.call(changeCategory, { ...prints, id: 'prints-maps', name: 'Audio' })
  await expect(taken).rejects.toMatchObject({ status: 409, code: 'name_taken' })

  const ids = ['prints-maps', ...before.toReversed()]
  await staff.call(orderCategories, { ids })
  await vi.waitFor(async () => expect(await shown()).toEqual(ids), 20_000)
  for (const wrong of [before, [...ids, 'nothing'], [...ids, 'audio']])
    await expect(staff.call(orderCategories, { ids: wrong })).rejects.toMatchObject({ status: 409 })

  await staff.call(changeCategory, { ...prints, id: 'prints-maps', name: 'Prints', icon: 'star' })
  await vi.waitFor(async () => {
    const [first] = await open.shop.call(listCategories, {})
    expect(first).toMatchObject({ id: 'prints-maps', name: 'Prints', icon: expect.stringMatching(/^M12 3l/) as string })
  }, 20_000)
  await staff.call(removeCategory, { id: 'prints-maps' })
  await vi.waitFor(async () => expect(await shown()).toEqual(before.toReversed()), 20_000)
  await expect(staff.call(removeCategory, { id: 'prints-maps' })).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(changeCategory, { ...prints, id: 'prints-maps' })).rejects.toMatchObject({ status: 404 })
  await staff.call(orderCategories, { ids: before })
  expect((await staff.call(listAudit, { kind: 'category' })).map(({ act }) => act).slice(0, 5)).toEqual([
    'category.ordered',
    'category.removed',
    'category.changed',
    'category.ordered',
    'category.added',
  ])
})

test('refuses to delete a category that has products, listed or not', async () => {
  const [staff, ada] = [await joinAdmin(), await open.shop.join()]
  await staff.call(addCategory, { ...prints, name: 'Kept' })
  await ada.call(createProduct, { title: 'A map', price: '1.00', categoryId: 'kept' })
  const remove = staff.call(removeCategory, { id: 'kept' })
  await expect(remove).rejects.toMatchObject({ status: 409, code: 'has_products' })
  const { categories } = await staff.call(getCategoryBook, {})
  expect(categories.find(({ id }) => id === 'kept')!.hasProducts).toBe(true)
})

test.each([
  ['Prints & Maps 2026', 'prints-maps'],
  ['Éditions', 'editions'],
  ['3D', 'category-d'],
  ['日本', 'category-x'],
  [`Long ${'name '.repeat(11)}`.slice(0, 60), /^long(-name)+(-n)?$/],
])('derives the id of the category %s from its name', async (name, id) => {
  const staff = await joinAdmin()
  const { categories } = await staff.call(addCategory, { ...prints, name })
  expect(categories.at(-1)!.id).toEqual(typeof id === 'string' ? id : expect.stringMatching(id))
})

test('rejects an unknown icon, an invalid name and staff without the role `admin`', async () => {
  const [staff, support] = [await joinAdmin(), await open.shop.join({ role: 'support' })]
  for (const wrong of [{ icon: 'nothing' }, { icon: 'constructor' }, { name: ' ' }, { name: 'x'.repeat(61) }])
    await expect(staff.call(addCategory, { ...prints, ...wrong })).rejects.toMatchObject({ status: 400 })
  await expect(support.call(addCategory, prints)).rejects.toMatchObject({ status: 403 })
  await expect(support.call(getCategoryBook, {})).rejects.toMatchObject({ status: 403 })
})

test('applies the flags of a category to the bonus and to products like gift cards', async () => {
  const [staff, ada] = [await joinAdmin(), await open.shop.join()]
  const product = await addProduct(open.shop, { categoryId: 'courses' })
  await ada.call(addToCart, { productId: product.id, quantity: 1 })
  const flags = { name: 'Online Courses', icon: 'school', sellsPrograms: false }
  expect((await ada.call(getCart, {}))[0]!.product.isCash).toBe(false)
  await staff.call(changeCategory, { ...flags, id: 'courses', isCash: true, earnsBonus: false })
  expect((await ada.call(getCart, {}))[0]!.product.isCash).toBe(true)
  expect((await ada.call(getCredit, {})).bonus).toMatchObject({
    excludedIds: expect.arrayContaining(['courses']) as string[],
    cash: expect.arrayContaining(['Online Courses']) as string[],
  })
  await staff.call(changeCategory, { ...flags, id: 'courses', isCash: false, earnsBonus: true })
  const { excludedIds, cash } = (await ada.call(getCredit, {})).bonus!
  expect([...excludedIds, ...cash].filter((name) => /courses/i.test(name))).toEqual([])
})
