import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../test/page.ts'
import type { Product } from '../catalogue/catalogue.contract.ts'

const product = { id: '7', title: 'Night Trains', price: '8.50', categoryId: 'audio', isActive: true } as Product
let page: Awaited<ReturnType<typeof openPage>>
let work: string[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  page = await openPage('/')
  work = []
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    work.push(`${method} ${path}`)
    return Response.json([])
  })
})
afterEach(async () => {
  await page.close()
  vi.useRealTimers()
})

test('the button shows its press before the check and the request start', async () => {
  const { useAddToCart } = await import('./useCart.ts')
  const isSafe = async () => work.push('checked') > 0
  let press = async () => {}
  page.draw(() => {
    const { add, isAdding } = useAddToCart(product, isSafe)
    press = () => add(1)
    return isAdding ? 'Adding' : 'Add to cart'
  }, {})
  const pressed = press()
  await page.rest()
  expect([page.text(), work]).toEqual(['Adding', []])
  page.frame()
  await vi.advanceTimersByTimeAsync(0)
  await pressed
  await page.rest()
  expect([page.text(), work]).toEqual(['Add to cart', ['checked', 'POST /api/cart']])
})
