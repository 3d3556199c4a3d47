import { createElement, useLayoutEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../test/page.ts'

let page: Awaited<ReturnType<typeof openPage>>
const Orders = ({ id }: { id: string }) => createElement('p', null, `orders ${id}`)

async function makePage(load: () => Promise<typeof Orders>) {
  const { lazyPage } = await import('./lazyPage.tsx')
  return lazyPage(load)
}
/** A frame is drawn, and what waited for it goes on. */
async function drawFrame() {
  page.frame()
  await vi.advanceTimersByTimeAsync(0)
  await page.rest()
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  page = await openPage('/orders')
})
afterEach(async () => {
  await page.close()
  vi.useRealTimers()
})

test('the outline is drawn before the page, however fast its script comes', async () => {
  page.draw(await makePage(async () => Orders), { id: '7' })
  await page.rest()
  expect(page.names()).toEqual(['DIV', 'SPAN', 'SPAN', 'SPAN'])
  await drawFrame()
  expect(page.text()).toBe('orders 7')
})

test('the outline stays until the script is here', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Orders>()
  page.draw(await makePage(() => promise), { id: '' })
  await drawFrame()
  expect(page.names()).toContain('SPAN')
  resolve(Orders)
  await page.rest()
  expect(page.text()).toBe('orders ')
})

test('a page whose script was read ahead is drawn at once, without an outline', async () => {
  const load = vi.fn<() => Promise<typeof Orders>>(async () => Orders)
  const Page = await makePage(load)
  await Page.prefetch()
  page.draw(Page, { id: '7' })
  expect(page.text()).toBe('orders 7')
  expect(load).toHaveBeenCalledOnce()
})

test('a page whose script comes just after its outline was drawn does not stay an outline', async () => {
  let come = () => {}
  const script = Promise.resolve(Orders)
  vi.spyOn(script, 'then').mockImplementationOnce((run) => {
    come = () => void run!(Orders)
    return Promise.resolve() as never
  })
  const Page = await makePage(() => script)
  void Page.prefetch()
  page.draw(() => {
    // after the drawing, before React begins what the page asks for
    useLayoutEffect(() => come(), [])
    return createElement(Page, { id: '7' })
  }, {})
  await drawFrame()
  expect(page.text()).toBe('orders 7')
})

test('a script that failed to come is asked for again', async () => {
  const load = vi.fn<() => Promise<typeof Orders>>(async () => Orders).mockRejectedValueOnce(new Error('no network'))
  const Page = await makePage(load)
  await expect(Page.prefetch()).rejects.toThrow('no network')
  await Page.prefetch()
  expect(Page.isHere()).toBe(true)
})
