import type { Page } from '@playwright/test'
import { addToCart, expect, payInWindow, press, register, signUp, test } from './shop.ts'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const putIntoCart = async (page: Page, title: string, quantity: number) => {
  const found = await page.request.get(`/api/products?q=${encodeURIComponent(title)}&limit=1`)
  const [product] = (await found.json()) as { id: string }[]
  await page.request.post('/api/cart', { data: { productId: product!.id, quantity } })
  return product!.id
}

test('who comes back to the shelf finds as much of it as was shown, at the same place', async ({ page }) => {
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

test('Download on an open order of several goods leads to them', async ({ page }) => {
  await register(page)
  await addToCart(page, 'Salt and Time')
  await addToCart(page, 'Morning Bells')
  await page.goto('/cart')
  // a printed cover is decoration: nobody is told that it is missing
  await expect(page.locator('.cover').first()).toBeVisible()
  await expect(page.getByText('No Image')).toHaveCount(0)
  await payInWindow(page, press(/^Pay/))
  await expect(page).toHaveURL(/\/orders\//)
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('link', { name: 'Download' }).first().click()
  const goods = page.getByRole('group', { name: 'Your goods' })
  await expect(goods).toBeFocused()
  await expect(goods.getByRole('button', { name: 'Download Salt and Time' })).toBeInViewport()
})

test('much money is not spent in one press; what is cut and what is refused is said', async ({ page }) => {
  await signUp(page)
  const id = await putIntoCart(page, 'Salt and Time', 4)
  await page.goto('/cart')
  await expect(page.getByText('You’ll pay for 4 copies but get one file.')).toBeVisible()
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
  await expect(question.getByText(/9,999 copies for \$\d+\.\d\d/)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect((await cartOf(page))[0]?.quantity).toBe(9999)

  await page.goto(`/product/${id}`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('At most 9,999 of one product.').first()).toBeVisible()

  await page.goto('/cart')
  await quantity.fill('11')
  await quantity.blur()
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await expect(question.getByText('11 copies')).toBeVisible()
  await question.getByRole('button', { name: /^Buy for/ }).click()
  await page.waitForURL(/\/orders\//)
  await page.goBack()
  await expect(heading(page, 'Shopping Cart')).toBeVisible()
})

test('no answer about who is there is not a sign-out: it is said, and Try Again goes on', async ({ page, faults }) => {
  await signUp(page)
  for (const fail of ['answers 500', 'is not reached']) {
    await page.route('**/api/auth/user', (route) =>
      fail === 'answers 500' ? route.fulfill({ status: 500, json: { message: 'x' } }) : route.abort(),
    )
    await page.reload()
    await expect(heading(page, 'Oops! Something went wrong')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get Started' })).toHaveCount(0)
    await page.unroute('**/api/auth/user')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(heading(page, 'Your Number One Digital Hub')).toBeVisible()
  }
  faults.splice(0, faults.length, ...faults.filter((fault) => !/500|ERR_FAILED/.test(fault)))
})

test('a page that is not on the device says that there is no connection, and opens by itself with it', async ({
  page,
  context,
  faults,
}) => {
  await signUp(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Profile', exact: true }).first().click()
  await expect(page.getByText('This page will open when you’re back online')).toBeVisible()
  await expect(page.getByText('You’re offline right now.')).toBeVisible()
  await expect(page.getByText('Oops! Something went wrong')).toHaveCount(0)
  await context.setOffline(false)
  await expect(heading(page, 'My Profile')).toBeVisible()
  faults.splice(0, faults.length, ...faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(fault)))
})

test('a dialog or a part of a page whose script did not come says so, and comes at the next try', async ({
  page,
  faults,
}) => {
  await signUp(page)
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
  faults.splice(0, faults.length, ...faults.filter((fault) => !/ERR_FAILED/.test(fault)))
})

const cartOf = async (page: Page) => (await (await page.request.get('/api/cart')).json()) as { quantity: number }[]

test('going back closes the palette, and what a reload left of it takes no press of Back', async ({ page }) => {
  await signUp(page)
  await page.goto('/settings')
  const palette = page.getByRole('dialog', { name: 'Find anything' })
  const heading = page.getByRole('heading', { level: 1, name: 'Settings' })
  await expect(heading).toBeVisible()
  await page.keyboard.press('/')
  await expect(palette).toBeVisible()
  await page.goBack()
  await expect(palette).toBeHidden()
  await expect(heading).toBeVisible()

  await page.keyboard.press('/')
  await expect(palette).toBeVisible()
  await page.reload()
  await expect(heading).toBeVisible()
  await expect.poll(() => page.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs)).toBeUndefined()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
})
