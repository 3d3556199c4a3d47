import { createElement, useLayoutEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../../test/page.ts'

let page: Awaited<ReturnType<typeof openPage>>
const Orders = ({ id }: { id: string }) => createElement('p', null, `orders ${id}`)

const script = { Orders }

async function makePage(load: () => Promise<typeof script>) {
  const { lazyPage } = await import('./lazyPage.tsx')
  return lazyPage(load, 'Orders')
}
/** Renders a frame and runs the work that waited for it. */
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

test('renders the outline before the page, even if its script loads immediately', async () => {
  page.draw(await makePage(async () => script), { id: '7' })
  await page.rest()
  expect(page.names()).toEqual(['DIV', 'SPAN', 'SPAN', 'SPAN'])
  await drawFrame()
  expect(page.text()).toBe('orders 7')
})

test('shows the outline until the script has loaded', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof script>()
  page.draw(await makePage(() => promise), { id: '' })
  await drawFrame()
  expect(page.names()).toContain('SPAN')
  resolve(script)
  await page.rest()
  expect(page.text()).toBe('orders ')
})

test('renders a preloaded page immediately, without an outline', async () => {
  const load = vi.fn<() => Promise<typeof script>>(async () => script)
  const Page = await makePage(load)
  await Page.preload()
  page.draw(Page, { id: '7' })
  expect(page.text()).toBe('orders 7')
  expect(load).toHaveBeenCalledOnce()
})

test('renders the page if its script loads between the outline and its effects', async () => {
  let come = () => {}
  const loading = Promise.resolve(script)
  vi.spyOn(loading, 'then').mockImplementationOnce((run) => {
    come = () => void run!(script)
    return Promise.resolve() as never
  })
  const Page = await makePage(() => loading)
  void Page.preload()
  page.draw(() => {
    // Runs after the render and before the effects of the page.
    useLayoutEffect(() => come(), [])
    return createElement(Page, { id: '7' })
  }, {})
  await drawFrame()
  expect(page.text()).toBe('orders 7')
})

test('retries a script that failed to load', async () => {
  const load = vi.fn<() => Promise<typeof script>>(async () => script).mockRejectedValueOnce(new Error('no network'))
  const Page = await makePage(load)
  await Page.preload()
  expect(Page.isHere()).toBe(false)
  await Page.preload()
  expect(Page.isHere()).toBe(true)
})
