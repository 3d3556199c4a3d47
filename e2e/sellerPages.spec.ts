import { buy } from './goods.ts'
import { expect, listProduct, ONCE, register, signUp, test } from './shop.ts'

const TABS = [
  ['Overview', 'Selling'],
  ['Products', 'My Products'],
  ['Sales', 'Sales'],
  ['Money', 'Balance'],
  ['More', 'More'],
] as const

test('a seller reaches every page of selling by its tabs', { tag: ONCE }, async ({ page }) => {
  await signUp(page)
  await listProduct(page, `Tabs ${crypto.randomUUID().slice(0, 8)}`)
  for (const path of ['/orders', '/profile']) {
    await page.goto(path)
    await page.getByRole('main').getByRole('link', { name: 'Selling' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Selling' })).toBeVisible()
  }
  const tabs = page.getByRole('navigation', { name: 'Selling' })
  for (const [tab, title] of TABS) {
    await tabs.getByRole('link', { name: tab, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(tabs.locator('[aria-current=page]')).toHaveText(tab)
  }
  await page.getByRole('link', { name: /^Discounts/ }).click()
  await expect(tabs.locator('[aria-current=page]')).toHaveText('More')

  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link')).toHaveCount(4)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(main.locator('.nav__list [aria-current=page]')).toHaveText('Selling')
})

test('the overview shows a sale of today and the money on its way', { tag: ONCE }, async ({ page, browser }) => {
  const title = `Overview ${crypto.randomUUID().slice(0, 8)}`
  await register(page)
  await page.goto('/selling')
  await expect(page.getByRole('heading', { name: 'Nothing sold yet' })).toBeVisible()
  await listProduct(page, title)
  const buyer = await (await browser.newContext()).newPage()
  await register(buyer)
  await buy(buyer, title)
  await page.reload()
  // 5.00 less 5 %
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('$4.75')
  await expect(page.getByRole('region', { name: 'On the way' })).toContainText('First $4.75')
  await expect(page.getByText('Nothing needs an answer.')).toBeVisible()
  await buyer.context().close()
})
