import type { Route } from '@playwright/test'
import {
  enter,
  expect,
  fillCart,
  forgive,
  payInWindow,
  placeUnpaid,
  press,
  register,
  showSavedWallet,
  signIn,
  signOut,
  test,
} from './shop.ts'

/** Sends the request to the shop and drops its answer. */
const lose = async (route: Route) => {
  await route.fetch()
  await route.abort('connectionreset')
}

test('a capture whose answer is lost is retried and completes the order', async ({ page }) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
  let lost = 0
  await page.route('**/order/*/capture', (route) => (lost++ === 0 ? lose(route) : route.continue()))
  await payInWindow(page, press(/^Pay/))
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  expect(lost).toBe(2)
})

test('a capture without any answer opens its order, which completes by itself', async ({ page }) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
  await page.route('**/order/*/capture', lose)
  await payInWindow(page, press(/^Pay/))
  await expect(page.getByText('We’re checking').first()).toBeVisible()
  await expect(page).toHaveURL(/\/orders\//)
  await expect(page.getByText('Failed to place order.')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
})

test('an order that the server refuses or fails to place shows an error and does not change the cart', async ({
  page,
  faults,
}) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  await showSavedWallet(page)
  await page.goto('/cart')
  const answers: [status: number, message: string, shown: string][] = [
    [409, 'A price has changed.', 'Failed to place order. A price has changed.'],
    [503, 'Busy', 'Failed to place order.'],
  ]
  for (const [status, message, shown] of answers) {
    const fail = (route: Route) =>
      route.request().method() === 'POST' ? route.fulfill({ status, json: { message } }) : route.continue()
    await page.route('**/api/orders', fail)
    await page.getByRole('button', { name: 'Quick Buy' }).first().click()
    await expect(page.locator('.toast').getByText(shown, { exact: true })).toBeVisible({ timeout: 20_000 })
    await expect(page).toHaveURL(/\/cart$/)
    await expect(page.getByRole('button', { name: 'Quick Buy' }).first()).toBeEnabled()
    await page.unroute('**/api/orders', fail)
  }
  await expect(page.getByText('We’re checking')).toHaveCount(0)
  forgive(faults, /503/)
})

test('a device whose clock is a day ahead shows the time that is left to pay', async ({ page }) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  await page.addInitScript(() => {
    const now = Date.now
    Date.now = () => now() + 86_400_000
  })
  await placeUnpaid(page)
  await expect(page.getByText(/Pay within (29|30) min\./).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Finish payment' }).first()).toBeVisible()
})

test('a tab follows when another tab signs out and signs another member in', async ({ page, context, browser }) => {
  const elsewhere = await (await browser.newContext()).newPage()
  const carol = await register(elsewhere, 'Carol')
  await elsewhere.context().close()
  const robin = await register(page, 'Robin')
  const other = await context.newPage()
  await other.goto('/profile')
  await expect(other.getByText(robin.email)).toBeVisible()
  await signOut(page)
  // the server rejects the next request of the tab
  await other.getByRole('link', { name: 'Orders' }).first().click()
  await expect(other.getByText(robin.email)).toHaveCount(0)
  await expect(other).toHaveURL(/api\/login/)

  await enter(page, robin)
  await other.goto('/profile')
  await expect(other.getByText(robin.email)).toBeVisible()
  await signOut(page)
  await signIn(page, carol)
  await expect(other.getByText(carol.email)).toBeVisible()
  await expect(other.getByText(robin.email)).toHaveCount(0)
})
