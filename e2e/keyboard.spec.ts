import type { Locator, Page } from '@playwright/test'
import { expect, register, signUp, test, whileItCloses } from './shop.ts'

/** Presses Tab until the focus is there, as somebody without a pointer does. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 90; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`the focus never came to ${target.toString()}`)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('a whole purchase takes no pointer', async ({ page, browser }) => {
  const other = await browser.newContext()
  const { email, password } = await signUp(await other.newPage())
  await other.close()

  await page.goto('/')
  await tabTo(page, link(page, 'Get Started'))
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
  await tabTo(page, page.getByRole('article').getByRole('link').first())
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

test('each page names the tab and gives its heading the focus, forward and back', async ({ page }) => {
  await signUp(page)
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
})

test('the first press of Tab offers to skip to the content', async ({ page }) => {
  await register(page)
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
})

test('a dialog keeps the focus, Escape closes it, and the focus returns to what opened it', async ({ page }) => {
  await signUp(page)
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

test('who asks for less motion gets next to none', async ({ page }) => {
  const count = () => page.evaluate(() => (window as unknown as { moves: number }).moves)
  await page.addInitScript(() => {
    const moves = { count: 0 }
    Object.defineProperty(window, 'moves', { get: () => moves.count })
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (...args) => {
      moves.count++
      return start(...args)
    }
  })
  await signUp(page)
  const visitProduct = async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shop' }).click()
    const product = page.getByRole('article').getByRole('link').first()
    await product.hover()
    await product.click()
    await expect(button(page, 'Add to Cart')).toBeVisible()
  }
  await visitProduct()
  await visitProduct()
  const before = await count()
  expect(before).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visitProduct()
  expect(await count()).toBe(before)
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].flatMap((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element)
        return `${animationDuration}, ${transitionDuration}`.split(', ').map((time) => parseFloat(time))
      }),
    ),
  )
  expect(longest).toBeLessThanOrEqual(0.08)
})
