import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { isAtPage, mayOpen, pagesOf } from '../adminPages.ts'
import { listWaiting, WAITING } from './waiting.contract.ts'

const open = openShopForTests()

test('lists the open items that the role may handle, and none for members', async () => {
  const kindsOf = async (role: 'support' | 'finance' | 'admin') =>
    (await (await open.shop.join({ role })).call(listWaiting, {})).map(({ kind }) => kind)
  expect(await kindsOf('admin')).toEqual(Object.keys(WAITING))
  expect(await kindsOf('support')).toEqual(['chats', 'reports'])
  expect(await kindsOf('finance')).toEqual(Object.keys(WAITING).filter((kind) => !['chats', 'reports'].includes(kind)))
  await expect((await open.shop.join()).call(listWaiting, {})).rejects.toMatchObject({ status: 403 })
})

test('every role of staff starts at the overview, and only its own pages open', () => {
  for (const role of ['support', 'finance', 'admin'] as const) expect(pagesOf(role)[0]).toBe('/admin')
  expect(mayOpen('/admin', 'support')).toBe(true)
  expect(mayOpen('/admin/', 'support')).toBe(true)
  expect(mayOpen('/admin', 'member')).toBe(false)
  expect(mayOpen('/admin/payouts', 'support')).toBe(false)
  expect(mayOpen('/admin/unknown', 'admin')).toBe(false)
  expect(isAtPage('/admin/orders/7', '/admin/orders')).toBe(true)
  expect(isAtPage('/admin/orders', '/admin')).toBe(false)
})
