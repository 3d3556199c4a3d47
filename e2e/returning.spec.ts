import type { Page } from '@playwright/test'
import { choose } from './goods.ts'
import {
  cartOf,
  expect,
  fillCart,
  forgive,
  payInWindow,
  press,
  register,
  routeRead,
  showSavedWallet,
  signUp,
  test,
} from './shop.ts'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
test('Back restores the length and the scroll position of the product list', async ({ page }) => {
  await signUp(page)
  await page.getByRole('link', { name: 'Shop', exact: true }).first().click()
  await page.getByRole('button', { name: /^Show \d+ more/ }).click()
  const cards = page.locator('.product')
  await expect.poll(() => cards.count()).toBeGreaterThan(40)
  const count = await cards.count()
  const card = cards.nth(40)
  const title = await card.getByRole('heading').innerText()
  await card.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(500)
  await card.getByRole('link').first().click()
  await expect(heading(page, title)).toBeVisible()
  await page.goBack()
  await expect(cards).toHaveCount(count)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(place - 60)
  await expect(card).toBeInViewport()
})

test('an open order shows its goods first; Download leads to them, and View Details opens the receipt', async ({
  page,
}) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  await fillCart(page, 'Morning Bells')
  await page.goto('/cart')
  // A generated cover is decoration, so a missing image has no text.
  await expect(page.locator('.cover').first()).toBeVisible()
  await expect(page.getByText('No Image')).toHaveCount(0)
  await payInWindow(page, press(/^Pay/))
  await expect(page).toHaveURL(/\/orders\//)
  const goods = page.getByRole('group', { name: 'Your goods' })
  const receipt = page.getByRole('heading', { level: 3, name: 'Receipt' })
  await expect(goods.getByRole('heading', { name: '2 goods' })).toBeVisible()
  await expect(goods.getByRole('link', { name: 'Read Salt and Time' })).toBeInViewport()
  await expect(goods.getByRole('link', { name: 'Listen Morning Bells' })).toBeInViewport()
  await expect(page.getByText('Tax', { exact: true })).toBeHidden()
  await page
    .getByRole('link', { name: /^View Details/ })
    .first()
    .click()
  await expect(receipt.getByRole('button', { expanded: true })).toBeFocused()
  await expect(receipt).toBeInViewport()
  await expect(page.getByText('Tax', { exact: true })).toBeVisible()
  const [above, below] = [await goods.boundingBox(), await receipt.boundingBox()]
  expect(above!.y).toBeLessThanOrEqual(below!.y)
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('link', { name: 'Download' }).first().click()
  await expect(goods).toBeFocused()
  await expect(goods.getByRole('link', { name: 'Read Salt and Time' })).toBeInViewport()
  await choose(page, /^Download EPUB/, 'More for Salt and Time')
  await expect(page.getByRole('group', { name: /^More for/ })).toBeHidden()
})

test('a quantity is limited and validated, and Quick Buy of many copies asks first', async ({ page }) => {
  await register(page)
  const { id } = await fillCart(page, 'Salt and Time', 4)
  await showSavedWallet(page)
  await page.goto('/cart')
  await expect(page.getByText('One copy is yours. Each other is a gift')).toBeVisible()
  const quantity = page.getByRole('textbox', { name: /^Quantity of/ })
  await quantity.fill('99999')
  await expect(page.getByText('At most 9,999').first()).toBeVisible()
  await quantity.blur()
  await expect(quantity).toHaveValue('9999')
  await expect.poll(async () => (await cartOf(page))[0]?.quantity).toBe(9999)
  for (const typed of ['0', '-2', 'abc', '1.5', '']) {
    const before = typed === '1.5' ? '1' : await quantity.inputValue()
    await quantity.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    await page.keyboard.type(typed)
    await quantity.blur()
    const said = `Choose a whole number from 1 to 9,999. The quantity is ${Number(before).toLocaleString('en')}.`
    await expect(page.locator('.toast--plain').getByText(said), typed).toBeVisible()
    await expect(quantity).toHaveValue(before)
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    await expect(page.locator('.toast')).toHaveCount(0)
  }
  await quantity.fill('9999')
  await expect.poll(async () => (await cartOf(page))[0]?.quantity).toBe(9999)
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  const question = page.getByRole('dialog', { name: 'Buy all of this now?' })
  await expect(question.getByText(/9,999 copies for \$\d+,\d{3}\.\d\d/)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect((await cartOf(page))[0]?.quantity).toBe(9999)

  await page.goto(`/product/${id}`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('At most 9,999 of one product.').first()).toBeVisible()

  await page.goto('/cart')
  await page.getByRole('button', { name: 'Keep one' }).click()
  await expect(quantity).toHaveValue('1')
  await expect(page.getByText(/One copy is yours/)).toHaveCount(0)
  await page.getByRole('button', { name: /^Increase/ }).click()
  await quantity.fill('11')
  await quantity.blur()
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await expect(question.getByText('11 copies')).toBeVisible()
  await expect(question.getByRole('button', { name: /^Buy for \$/ })).toBeVisible()
})

test('home shows Loading... until the session is known, and an error with Try Again after the request failed', async ({
  page,
  faults,
}) => {
  await register(page)
  await routeRead(page, '**/api/auth/user', () => undefined)
  await page.goto('/')
  const loading = page.getByRole('status').filter({ hasText: 'Loading...' })
  await expect(loading).toBeVisible()
  const { height } = page.viewportSize()!
  await expect.poll(async () => (await loading.boundingBox())?.height).toBeGreaterThanOrEqual(height)
  await page.unroute('**/api/auth/user')
  for (const [fail, path, title] of [
    ['answers 500', '/', 'Your Number One Digital Hub'],
    ['is not reached', '/profile', 'My Profile'],
  ] as const) {
    await routeRead(page, '**/api/auth/user', (route) =>
      fail === 'answers 500' ? route.fulfill({ status: 500, json: { message: 'x' } }) : route.abort(),
    )
    await page.goto(path)
    await expect(heading(page, 'Oops! Something went wrong')).toBeVisible()
    await expect(page.getByText('Unable to load profile')).toHaveCount(path === '/profile' ? 1 : 0)
    await expect(page.getByRole('link', { name: 'Get Started' })).toHaveCount(0)
    await page.unroute('**/api/auth/user')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(heading(page, title)).toBeVisible()
  }
  forgive(faults, /500|ERR_FAILED/)
})

test('a page without a cached script waits for the connection and opens with it', async ({ page, context, faults }) => {
  await signUp(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Profile', exact: true }).first().click()
  await expect(page.getByText('This page will open when you’re back online')).toBeVisible()
  await expect(page.getByText('You’re offline right now.')).toBeVisible()
  await expect(page.getByText('Oops! Something went wrong')).toHaveCount(0)
  await context.setOffline(false)
  await expect(heading(page, 'My Profile')).toBeVisible()
  forgive(faults, /ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
})

test('a dialog or a part of a page whose script failed to load shows an error and loads on retry', async ({
  page,
  faults,
}) => {
  await register(page)
  await page.route(/\/assets\/PasswordDialog-/, (route) => route.abort())
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('We couldn’t open this. Please try again, or refresh the page.').first()).toBeVisible()
  await expect(heading(page, 'Settings')).toBeVisible()
  await page.unroute(/\/assets\/PasswordDialog-/)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeVisible()

  await page.route(/\/assets\/SystemStatusDetails-/, (route) => route.abort())
  await page.goto('/')
  const status = page.locator('details', { hasText: 'System Status' })
  await status.locator('summary').click()
  await expect(status.getByRole('alert')).toHaveText(/^This part of the page didn’t load\./)
  await page.unroute(/\/assets\/SystemStatusDetails-/)
  await status.getByRole('button', { name: 'Try again' }).click()
  await expect(status.getByText('Risk score').or(status.getByText('Location')).first()).toBeVisible()
  await expect(status.getByRole('alert')).toHaveCount(0)
  forgive(faults, /ERR_FAILED/)
})
