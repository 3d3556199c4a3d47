import type { Route } from '@playwright/test'
import { addToCart, expect, payInWindow, press, register, signIn, signOut, signUp, test } from './shop.ts'

const BOOK = 'Salt and Time'

/** The request reaches the shop, and the answer is lost on its way back. */
const lose = async (route: Route) => {
  await route.fetch()
  await route.abort('connectionreset')
}

test('a payment whose answer is lost is asked about again, and ends as what it is', async ({ page }) => {
  await register(page)
  await addToCart(page, BOOK)
  await page.goto('/cart')
  let lost = 0
  await page.route('**/order/*/capture', (route) => (lost++ === 0 ? lose(route) : route.continue()))
  await payInWindow(page, press(/^Pay/))
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  expect(lost).toBe(2)
})

test('a payment that stays unheard of leads to its order, which completes by itself', async ({ page }) => {
  await register(page)
  await addToCart(page, BOOK)
  await page.goto('/cart')
  await page.route('**/order/*/capture', lose)
  await payInWindow(page, press(/^Pay/))
  await expect(page.getByText('We’re checking').first()).toBeVisible()
  await expect(page).toHaveURL(/\/orders\//)
  await expect(page.getByText('Failed to place order.')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
})

test('a wallet that is kept in the window is charged by Quick Buy, whatever becomes of the window', async ({
  page,
  faults,
}) => {
  await register(page)
  await addToCart(page, BOOK)
  await page.goto('/cart')
  await payInWindow(page, async (popup) => {
    await popup.getByRole('checkbox').check()
    await press(/^Pay/)(popup)
  })
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  await addToCart(page, 'Morning Bells')
  // what a press charges is known without the provider's script
  await page.route('**/web-sdk/**', (route) => route.abort())
  await page.goto('/cart')
  await expect(page.getByText(/^Quick Buy .*charges /)).toBeVisible()
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  await expect(page.getByText('Completed').first()).toBeVisible()
  faults.splice(0, faults.length, ...faults.filter((fault) => !/ERR_FAILED/.test(fault)))
})

test('a tab of somebody who has signed out elsewhere shows nothing of theirs any more', async ({ page, context }) => {
  const robin = await signUp(page, 'Robin')
  const other = await context.newPage()
  await other.goto('/profile')
  await expect(other.getByText(robin.email)).toBeVisible()
  await signOut(page)
  // the next thing it reads is refused
  await other.getByRole('link', { name: 'Orders' }).first().click()
  await expect(other.getByText(robin.email)).toHaveCount(0)
  await expect(other).toHaveURL(/api\/login/)
})

test('a tab follows when somebody else signs in beside it', async ({ page, context, browser }) => {
  const elsewhere = await (await browser.newContext()).newPage()
  const carol = await signUp(elsewhere, 'Carol')
  await elsewhere.context().close()
  const robin = await signUp(page, 'Robin')
  const other = await context.newPage()
  await other.goto('/profile')
  await expect(other.getByText(robin.email)).toBeVisible()
  await signOut(page)
  await signIn(page, carol)
  await expect(other.getByText(carol.email)).toBeVisible()
  await expect(other.getByText(robin.email)).toHaveCount(0)
})
