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
/** Navigates by a link ('pushState') or Back ('popstate'). Returns whether to draw the whole page at once. */
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

test('Back restores the scroll position and draws the whole page; a link starts at the top and draws the head first', async () => {
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
  // a link to the same URL is a new visit
  expect(await go('pushState', '/categories')).toBe(false)
  expect(page.scrollTo).toHaveBeenLastCalledWith(0, 0)
})

test('a reload restores the scroll position', async () => {
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

test('stores the scroll position when the page closes', async () => {
  await begin()
  scroll(250)
  page.dispatchEvent(new Event('pagehide'))
  expect(page.sessionStorage.getItem('scroll')).toBe('{"/categories":250}')
})
