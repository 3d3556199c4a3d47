import { expect, signUp, test } from './shop.ts'

const BOOK = 'Salt and Time'
const path = '**/api/real-time/products'

test('a price that changes while a page is open changes on the page', async ({ page }) => {
  await signUp(page)
  await page.goto(`/categories?q=${encodeURIComponent(BOOK)}`)
  const card = page.locator('.product').filter({ hasText: BOOK }).first()
  await expect(card.locator('.price')).toHaveText(/^\$\d/)
  const id = (await card.getByRole('link').first().getAttribute('href'))!.split('/').pop()!
  const told = { version: 'next', changed: [{ id, title: BOOK, price: '77.77' }], removed: [] }
  await page.route(path, (route) => route.fulfill({ json: told }))
  await expect(card.locator('.price')).toHaveText('$77.77', { timeout: 15_000 })
  await page.unroute(path)
})

test('System Status tells of the connection: lost, tried again, back', async ({ page, context }) => {
  await page.clock.install()
  await signUp(page)
  const status = page.locator('details', { hasText: 'System Status' })
  await status.locator('summary').click()
  await expect(status.getByText('Connected', { exact: true })).toBeVisible()
  await page.route(path, (route) => route.fulfill({ status: 404, body: '' }))
  await page.clock.fastForward(10_500)
  await expect(status.getByText('Connection failed, retrying... (1/3)')).toBeVisible()
  await page.clock.fastForward(1_100)
  await expect(status.getByText('Connection failed, retrying... (2/3)')).toBeVisible()
  await page.clock.fastForward(2_100)
  await expect(status.getByText('Connection failed, retrying... (3/3)')).toBeVisible()
  await page.clock.fastForward(4_100)
  await expect(status.getByText('HTTP 404: Not Found')).toBeVisible()
  await page.unroute(path)
  await page.clock.fastForward(10_500)
  await expect(status.getByText('Connected', { exact: true })).toBeVisible()
  await context.setOffline(true)
  await expect(status.getByText('No internet connection')).toBeVisible()
  await context.setOffline(false)
  await expect(status.getByText('Connected', { exact: true })).toBeVisible()
})
