import type { Locator, Page } from '@playwright/test'
import { ONCE, WIDE, expect, fillCart, register, test, whileItCloses } from './shop.ts'

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 90; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`Tab never reached ${target.toString()}`)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('a member signs in, buys and downloads by keyboard alone', { tag: WIDE }, async ({ page, context }) => {
  const { email, password } = await register(page)
  await context.clearCookies()

  await page.goto('/')
  await tabTo(page, link(page, 'Sign In to Continue'))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await tabTo(page, page.getByLabel('Password'))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Your Number One Digital Hub')).toBeVisible()

  await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shop' }))
  await page.keyboard.press('Enter')
  await expect(heading(page, 'All Categories')).toBeFocused()
  await tabTo(page, page.getByRole('article').filter({ hasText: 'Salt and Time' }).getByRole('link').first())
  await page.keyboard.press('Enter')
  await expect(button(page, 'Add to Cart')).toBeEnabled()
  await tabTo(page, button(page, /^(Increase|More)/))
  await page.keyboard.press('Enter')
  await tabTo(page, button(page, 'Add to Cart'))
  await page.keyboard.press('Space')
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
  await tabTo(page, link(page, /^Cart/), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Shopping Cart')).toBeFocused()

  await tabTo(page, button(page, 'Pay with PayPal'))
  const opened = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  const popup = await opened
  await popup.waitForURL(/checkoutnow/)
  await tabTo(popup, button(popup, /^Pay/))
  await whileItCloses(popup, popup.keyboard.press('Enter'))
  await expect(page).toHaveURL(/\/orders\//)
  await tabTo(page, page.getByRole('button', { name: /^Download/ }).first())
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  await download
})

test('focus moves to the heading of each page, the skip link and the dialog, and returns', async ({ page }) => {
  await register(page)
  await page.goto('/')
  await expect(page).toHaveTitle('Home · Primo')
  const nav = page.getByRole('navigation', { name: 'Main' })
  for (const [name, title] of [
    ['Shop', 'All Categories'],
    ['Orders', 'My Orders'],
    ['Profile', 'My Profile'],
  ] as const) {
    await nav.getByRole('link', { name }).click()
    await expect(heading(page, title)).toBeFocused()
    await expect(page).toHaveTitle(`${title} · Primo`)
    await expect(nav.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  }
  await page.goBack()
  await expect(heading(page, 'My Orders')).toBeFocused()
  await expect(page).toHaveTitle('My Orders · Primo')

  // The first press of Tab offers to skip to the content.
  await page.goto('/settings')
  await expect(heading(page, 'Settings')).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = link(page, 'Skip to content')
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const isInMain = () => page.evaluate(() => document.querySelector('main')!.contains(document.activeElement))
  expect(await isInMain()).toBe(true)

  await page.goto('/')
  const opener = page.locator('main').getByRole('button', { name: 'Add Product' }).first()
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  await expect(dialog).toBeVisible()
  for (let presses = 0; presses < 25; presses++) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('the next line has the focus after a line is removed and after Undo', { tag: ONCE }, async ({ page }) => {
  const titles = ['Salt and Time', 'Morning Bells', 'Bread by Weight']
  const remove = page.getByRole('button', { name: /^Remove / })
  const notice = page.locator('.toast')
  /** Presses the focused button and waits for a new notification. An earlier one may be visible. */
  const pressFocused = async () => {
    await notice.evaluateAll((earlier) => earlier.forEach(({ classList }) => classList.add('earlier')))
    await page.keyboard.press('Enter')
    await expect(page.locator('.toast:not(.earlier)')).toBeVisible()
  }
  const undo = async () => {
    await page.keyboard.press('F8')
    await tabTo(page, button(page, 'Undo'))
    await page.keyboard.press('Enter')
  }
  await register(page)
  for (const title of titles) {
    const { id } = await fillCart(page, title)
    await page.request.put(`/api/wishlist/${id}`, {
      data: {},
      headers: { origin: new URL(test.info().project.use.baseURL!).origin },
    })
  }
  await page.goto('/profile')
  await link(page, 'My Wishlist').click()
  for (const empty of ['Nothing saved yet', 'Your cart is empty']) {
    await tabTo(page, remove.nth(1))
    const next = button(page, (await remove.nth(2).getAttribute('aria-label'))!)
    await pressFocused()
    await expect(remove).toHaveCount(2)
    await expect(next).toBeFocused()
    await undo()
    await expect(remove).toHaveCount(3)
    await expect(next).toBeFocused()
    await pressFocused()
    await expect(remove).toHaveCount(2)
    await expect(remove.nth(1)).toBeFocused()
    await pressFocused()
    await expect(remove.first()).toBeFocused()
    // with a slow server, the notification of the last line replaces the previous one while it leaves
    const style = await page.addStyleTag({
      content: '.toast[data-state=closed] { animation-duration: 3600s !important }',
    })
    const answer = Promise.withResolvers<void>()
    await page.route(/\/api\/(wishlist|cart)\/[^/]+$/, (route) => answer.promise.then(() => route.continue()))
    await page.keyboard.press('Enter')
    await expect(page.getByText(empty)).toBeVisible()
    await expect(link(page, 'Browse Products')).toBeFocused()
    await undo()
    await expect(remove).toHaveCount(1)
    await expect(notice).toHaveAttribute('data-state', 'closed')
    answer.resolve()
    await expect(notice).toHaveAttribute('data-state', 'open')
    await expect(heading(page, /Wishlist|Cart/)).toBeFocused()
    await style.evaluate((element: Element) => element.remove())
    await link(page, /^Cart/).click()
  }
  await tabTo(page, button(page, 'Clear'))
  await pressFocused()
  await expect(link(page, 'Browse Products')).toBeFocused()
  await undo()
  await expect(remove).toHaveCount(1)
  await expect(heading(page, 'Shopping Cart')).toBeFocused()
})
