import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ONCE, addToCart, expect, register, signIn, signUp, stopClock, test } from './shop.ts'

const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!

test('while it is not known who is there, Loading... fills the screen', { tag: ONCE }, async ({ page }) => {
  await signUp(page)
  await page.route('**/api/auth/user', () => undefined)
  await page.reload()
  const loading = page.getByRole('status').filter({ hasText: 'Loading...' })
  await expect(loading).toBeVisible()
  const { height } = (await loading.boundingBox())!
  expect(height).toBeGreaterThanOrEqual(page.viewportSize()!.height)
})

test('a phone has a status bar with a clock that ticks, which no screen reader meets', async ({ page, isMobile }) => {
  await signUp(page)
  const bar = page.locator('.statusbar')
  await expect(bar).toHaveAttribute('aria-hidden', 'true')
  if (!isMobile) return expect(bar).toBeHidden()
  // the clock stands, however slow the machine is; what waits for its next minute runs on
  await page.clock.setFixedTime(new Date('2030-05-05T21:59:58'))
  await page.reload()
  await expect(bar).toContainText('9:59 PM')
  await page.clock.setFixedTime(new Date('2030-05-05T22:00:01'))
  await expect(bar).toContainText('10:00 PM')
})

test('the navigation has four entries, at the bottom of a phone, on top of a tablet, in a rail from 1024 px', async ({
  page,
  isMobile,
}) => {
  await signUp(page)
  for (const [name, href] of [
    ['Home', '/'],
    ['Shop', '/categories'],
    ['Orders', '/orders'],
    ['Profile', '/profile'],
  ] as const)
    await expect(nav(page).getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', href)
  await expect(nav(page).locator('[aria-current=page]')).toHaveText('Home')
  const { height } = page.viewportSize()!
  if (isMobile) {
    const bar = await boxOf(page, '.nav')
    expect(Math.round(bar.y + bar.height)).toBe(height)
    const column = await boxOf(page, '.shell')
    expect(column.width).toBeLessThanOrEqual(28 * 16)
    return
  }
  const rail = await boxOf(page, '.nav')
  expect(rail.x + rail.width).toBeLessThanOrEqual((await boxOf(page, '.page')).x)
  await page.setViewportSize({ width: 800, height: 900 })
  await expect(page.locator('.statusbar')).toBeHidden()
  await expect.poll(async () => (await boxOf(page, '.nav')).y).toBeLessThan(10)
  await page.setViewportSize({ width: 1920, height: 1080 })
  const wide = await boxOf(page, '.shell')
  expect(wide.width).toBeLessThanOrEqual(72 * 16)
  expect(Math.abs(wide.x * 2 + wide.width - 1920)).toBeLessThan(20)
  const [first, second] = await Promise.all([0, 1].map((i) => page.locator('.product').nth(i).boundingBox()))
  expect(second!.y).toBe(first!.y)
})

test('a page may do without the bar at the bottom: a conversation in the support inbox does', async ({
  page,
  isMobile,
}) => {
  type Account = { role: string; email: string; password: string }
  const file = join(process.env.E2E_DATA_DIR!, 'demo-accounts.json')
  const accounts = JSON.parse(readFileSync(file, 'utf8')) as Account[]
  await signIn(
    page,
    accounts.find(({ role }) => role === 'admin')!,
  )
  await page.goto('/profile')
  await expect(page.getByRole('link', { name: 'Staff pages' })).toHaveAttribute('href', '/admin/chat')
  await page.goto('/admin/audit')
  await expect(page.getByRole('navigation', { name: 'Staff pages' }).getByText('Audit log')).toBeInViewport({
    ratio: 1,
  })
  const { x } = await boxOf(page, '.nav')
  await page.goto('/admin/chat')
  await expect(nav(page).locator('[aria-current=page]')).toHaveText(isMobile ? 'Profile' : 'Staff')
  await expect(page.locator('.inbox')).toBeVisible()
  expect((await boxOf(page, '.nav')).x).toBe(x)
  await page.goto('/admin/chat/0190b3c2-7f58-7cc3-98c4-dc0c0c07398f')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(nav(page)).toBeVisible({ visible: !isMobile })
})

test(
  'the zoom is locked until Settings allow it, and text grows to twice its size',
  { tag: ONCE },
  async ({ page }) => {
    await register(page)
    await page.goto('/settings')
    const viewport = page.locator('meta[name=viewport]')
    const touch = () => page.evaluate(() => getComputedStyle(document.documentElement).touchAction)
    await expect(viewport).toHaveAttribute('content', /maximum-scale=1\b/)
    expect(await touch()).toBe('pan-x pan-y')
    await page.getByRole('switch', { name: /Allow pinch zoom/ }).check()
    await expect(viewport).not.toHaveAttribute('content', /maximum-scale/)
    expect(await touch()).toBe('auto')
    await page.getByRole('group', { name: 'Text size' }).getByRole('button', { name: '200%' }).click()
    const textSize = () => page.evaluate(() => getComputedStyle(document.body).fontSize)
    expect(await textSize()).toBe('32px')
    await page.goto('/')
    await expect(viewport).not.toHaveAttribute('content', /maximum-scale/)
    expect(await textSize()).toBe('32px')
  },
)

test('at twice the text size the main pages fit the narrowest phone', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'wide screens have the room')
  await signUp(page)
  await addToCart(page, 'Salt and Time')
  await page.setViewportSize({ width: 320, height: 700 })
  await page.evaluate(() => localStorage.setItem('preferences', JSON.stringify({ textSize: 200 })))
  for (const path of ['/', '/categories', '/cart', '/orders', '/profile', '/settings']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const [textSize, width] = await page.evaluate(() => [
      getComputedStyle(document.body).fontSize,
      document.documentElement.scrollWidth,
    ])
    expect({ path, textSize, width }).toEqual({ path, textSize: '32px', width: 320 })
  }
})

test(
  'a page that cannot be drawn says so; Try Again and Refresh Page bring it back, the rest goes on',
  { tag: ONCE },
  async ({ page, faults }) => {
    await signUp(page)
    await page.route(/\/api\/orders\?/, (route) => route.fulfill({ json: [{ id: 'x' }] }))
    await page.goto('/orders')
    const title = page.getByRole('heading', { name: 'Oops! Something went wrong' })
    await expect(title).toBeVisible()
    await expect(page.getByText('The AI system was notified and is applying automatic fixes.')).toBeVisible()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(title).toBeVisible()
    await nav(page).getByRole('link', { name: 'Shop' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'All Categories' })).toBeVisible()
    await page.goto('/orders')
    await expect(title).toBeVisible()
    await page.unroute(/\/api\/orders\?/)
    await page.getByRole('button', { name: 'Refresh Page' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
    expect(faults.length).toBeGreaterThan(0)
    faults.length = 0
  },
)

test('one notification at a time, at most 420 px wide, gone after five seconds, and F8 goes to it', async ({
  page,
}) => {
  await page.clock.install()
  await register(page)
  await addToCart(page, 'Salt and Time')
  const toasts = page.locator('.toast')
  await expect(toasts).toHaveCount(1)
  const added = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await added
  await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
  // the old one leaves as the new one comes
  await expect(toasts).toHaveCount(1)
  await stopClock(page)
  expect((await toasts.boundingBox())!.width).toBeLessThanOrEqual(420)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus, ol:focus')).toHaveCount(1)
  // the focus holds it; elsewhere its time goes on
  await page.clock.runFor(6000)
  await expect(toasts).toHaveAttribute('data-state', 'open')
  await page.getByRole('heading', { level: 1 }).click()
  await page.clock.runFor(5000)
  await expect(toasts).toHaveCount(0)
})

test('a notification goes when it is swiped 50 px to the right, and stays for less', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the mouse stands in for the finger')
  await page.clock.install()
  await register(page)
  await addToCart(page, 'Salt and Time')
  await stopClock(page)
  const notice = page.locator('.toast')
  const swipe = async (distance: number) => {
    const { x, y, height } = (await notice.boundingBox())!
    await page.mouse.move(x + 60, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + 60 + distance / 2, y + height / 2, { steps: 3 })
    await page.mouse.move(x + 60 + distance, y + height / 2, { steps: 3 })
    await page.mouse.up()
  }
  await swipe(40)
  await expect(notice).toHaveAttribute('data-swipe', 'cancel')
  await expect(notice).toHaveAttribute('data-state', 'open')
  await swipe(70)
  await expect(notice).toHaveCount(0)
})

test('Undo in the notification brings back what was removed, and what was cleared', { tag: ONCE }, async ({ page }) => {
  await register(page)
  await addToCart(page, 'Salt and Time')
  await addToCart(page, 'Morning Bells')
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Remove Salt and Time' }).click()
  await expect(page.getByText('Item removed from cart.').first()).toBeVisible()
  // a pointer over it holds it
  await page.locator('.toast').hover()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 item(s) in your cart')).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByText('All items removed from cart.').first()).toBeVisible()
  await page.locator('.toast').hover()
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 item(s) in your cart')).toBeVisible()
  // the page shows it before the shop has it
  await expect.poll(async () => ((await (await page.request.get('/api/cart')).json()) as unknown[]).length).toBe(2)
  await page.reload()
  await expect(page.getByText('2 item(s) in your cart')).toBeVisible()
})

test('a tooltip comes when the pointer has rested for 700 ms, the next one at once', async ({ page, isMobile }) => {
  test.skip(isMobile, 'a finger does not rest')
  await page.clock.install()
  await register(page)
  await page.goto('/categories?q=Salt+and+Time')
  await page.getByRole('link', { name: 'Salt and Time' }).first().click()
  const share = page.getByRole('button', { name: 'Share' })
  const save = page.getByRole('button', { name: /^Save/ })
  const tip = page.locator('.tip__text')
  await save.scrollIntoViewIfNeeded()
  await stopClock(page)
  await share.hover()
  await page.clock.runFor(690)
  await expect(tip).toHaveCount(0)
  await page.clock.runFor(10)
  await expect(tip).toHaveText('Share')
  await page.clock.runFor(100)
  await save.hover()
  await page.clock.runFor(0)
  await expect(tip).toHaveText(/^Save/)
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
})

test('an order prints as its receipt alone, which says all that a receipt must', { tag: ONCE }, async ({ page }) => {
  const { email } = await register(page)
  await addToCart(page, 'Salt and Time')
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  const paper = page.getByText(`Robin, ${email}`)
  await expect(paper).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expect(paper).toBeVisible()
  const receipt = page.locator('.order__detail')
  const id = new URL(page.url()).pathname.split('/')[2]!
  for (const text of ['Store: Primo', `Order number: ${id}`, 'Payment method: paypal', 'Total'])
    await expect(receipt).toContainText(text)
  await expect(receipt).toContainText(new RegExp(`Date: \\w{3} \\d+, ${new Date().getFullYear()}, \\d`))
  await expect(receipt).not.toContainText('Payment reference')
  const connectors = page.locator('.timeline li').first()
  expect(await connectors.evaluate((step) => getComputedStyle(step, '::after').display)).toBe('none')
  for (const hidden of ['.nav', '.topbar', '.statusbar', '.receipt__tools', '.orders article'])
    await expect(page.locator(hidden).first(), hidden).toBeHidden()
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
})

test(
  'an image that fails to load is hidden, and the cover stands in its place',
  { tag: ONCE },
  async ({ page, faults }) => {
    await signUp(page)
    await page.route('**/api/products?limit=3', async (route) => {
      const response = await route.fetch()
      const products = (await response.json()) as { imageUrl: string | null }[]
      products[0]!.imageUrl = '/images/none/640.webp'
      await route.fulfill({ response, json: products })
    })
    await page.reload()
    const card = page.locator('.product').first()
    await expect(card.locator('.cover')).toBeVisible()
    await expect(card.locator('img')).toHaveCount(0)
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('404')))
  },
)

test(
  'a session that ended is told, and after half a second leads to sign-in and back',
  { tag: ONCE },
  async ({ page, context }) => {
    await register(page)
    await page.goto('/categories?q=Salt+and+Time')
    // the last that the page reads for its owner
    const isRead = page.waitForResponse(/\/purchases$/)
    await page.getByRole('link', { name: 'Salt and Time' }).first().click()
    await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
    await isRead
    const here = new URL(page.url()).pathname
    await context.clearCookies()
    const text = 'You are logged out. Logging in again...'
    const told = Promise.withResolvers<void>()
    await page.exposeFunction('tell', () => told.resolve())
    // what is told stands for half a second alone, so the page looks for itself
    await page.evaluate((words) => {
      const look = () => document.body.innerText.includes(words) && Reflect.get(window, 'tell')()
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    }, text)
    const asked = page.waitForRequest(/\/api\/login/)
    const pressedAt = Date.now()
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await told.promise
    await asked
    expect(Date.now() - pressedAt).toBeGreaterThanOrEqual(500)
    await page.waitForURL(/\/api\/login/)
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe(here)
  },
)
