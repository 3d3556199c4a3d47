import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../test/page.ts'

let page: Awaited<ReturnType<typeof openPage>>
let wasScrolled: () => boolean

beforeEach(async () => {
  page = await openPage('/categories')
})
afterEach(() => page.close())

async function begin() {
  const module = await import('./useScroll.ts')
  wasScrolled = module.wasScrolled
  page.draw(() => (module.useScroll(), null), {})
}
const scroll = (top: number) => {
  vi.stubGlobal('scrollY', top)
  page.dispatchEvent(new Event('scroll'))
}
/** By a link ('pushState' is what the router tells of it) or with Back; answers whether the page is to be drawn whole. */
async function go(by: 'pushState' | 'popstate', path: string) {
  page.location.pathname = path
  page.location.href = `http://shop.test${path}`
  if (page.navigation) page.navigation.currentEntry = { key: path }
  const event = new Event(by)
  let isWhole = false
  page.addEventListener(by, () => (isWhole = wasScrolled()), { once: true })
  page.dispatchEvent(event)
  await page.rest()
  return isWhole
}

test('a page is left further down: Back leads there and draws it whole, a link to its top and draws its head first', async () => {
  vi.stubGlobal('navigation', (page.navigation = undefined))
  await begin()
  scroll(900)
  expect(await go('pushState', '/cart')).toBe(false)
  expect(page.scrollTo).toHaveBeenLastCalledWith(0, 0)
  scroll(0)
  expect(await go('popstate', '/categories')).toBe(true)
  expect(page.scrollTo).toHaveBeenLastCalledWith(0, 900)
  scroll(900)
  await go('pushState', '/cart')
  scroll(0)
  // the same address by a link: it is another visit
  expect(await go('pushState', '/categories')).toBe(false)
  expect(page.scrollTo).toHaveBeenLastCalledWith(0, 0)
})

test('a page that is loaded again is where it was', async () => {
  page.sessionStorage.setItem('scroll', '{"/categories":400}')
  await begin()
  expect(page.scrollTo).toHaveBeenLastCalledWith(0, 400)
})

test('keeps the position of a page that was scrolled before hydration, and restores it on Back', async () => {
  vi.stubGlobal('scrollY', 300)
  await begin()
  expect(page.scrollTo).not.toHaveBeenCalled()
  await go('pushState', '/cart')
  expect(page.scrollTo).toHaveBeenLastCalledWith(0, 0)
  await go('popstate', '/categories')
  expect(page.scrollTo).toHaveBeenLastCalledWith(0, 300)
})

test('where a page is scrolled to outlives its reload', async () => {
  await begin()
  scroll(250)
  page.dispatchEvent(new Event('pagehide'))
  expect(page.sessionStorage.getItem('scroll')).toBe('{"/categories":250}')
})
