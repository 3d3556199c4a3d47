import type { Page } from '@playwright/test'
import { expect, fillCart, register, routeRead, test } from './shop.ts'
import { EIGHT_TITLES, TEN_THINGS } from './tenThings.ts'

// The words that a person sees on a screen at once, on a phone (390 px) and on a desktop (1280 px).

const showCart = async (page: Page) => {
  await register(page)
  for (const title of EIGHT_TITLES) await fillCart(page, title)
  await page.goto('/cart')
  await expect(page.locator('.items > li')).toHaveCount(EIGHT_TITLES.length)
}

const showShop = async (page: Page) => {
  await register(page)
  await page.goto('/categories')
  const cards = page.getByRole('article')
  await expect(cards.nth(20)).toBeVisible()
  await page.getByRole('button', { name: /^Show \d+ more/ }).click()
  await expect(cards.nth(40)).toBeVisible()
}

const showOrder = async (page: Page) => {
  await register(page)
  await routeRead(page, /\/api\/orders\?/, (route) => route.fulfill({ json: [TEN_THINGS] }))
  await page.goto(`/orders/${TEN_THINGS.id}`)
  await expect(page.getByRole('heading', { name: '10 goods' })).toBeVisible()
}

const LIMITS: [screen: string, maxWords: number, show: (page: Page) => Promise<unknown>][] = [
  ['shop of 48 cards', 900, showShop],
  ['cart of eight lines', 250, showCart],
  ['order of ten things', 180, showOrder],
]

for (const [screen, maxWords, show] of LIMITS)
  test(`the ${screen} shows at most ${maxWords} words`, async ({ page }) => {
    await show(page)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    expect(await countWords(page)).toBeLessThanOrEqual(maxWords)
  })

/** Counts the words of the page. Texts for screen readers and closed options of a field are not visible. */
const countWords = (page: Page) =>
  page.evaluate(() => {
    for (const unseen of document.querySelectorAll<HTMLElement>('.sr, .skip, option:not(:checked)'))
      unseen.style.display = 'none'
    return document.body.innerText.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  })
