import type { Locator, Page } from '@playwright/test'
import {
  expect,
  fillCart,
  forgive,
  payInWindow,
  press,
  register,
  signIn,
  signOut,
  signUp,
  stopClock,
  test,
} from './shop.ts'
import { pdfOf } from './books.ts'
import { buy, open, openEntry, sell } from './goods.ts'

test.use({ serviceWorkers: 'allow' })

/** Waits until the service worker has cached `path`. Reloads a page that loaded before the worker controlled it. */
async function untilKept(page: Page, path: string) {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator
    await serviceWorker.ready
    if (serviceWorker.controller) return
    await new Promise((done) => serviceWorker.addEventListener('controllerchange', done, { once: true }))
  })
  const isKept = async () => (await keptPaths(page)).includes(path)
  if (!(await isKept())) await page.reload()
  await expect.poll(isKept).toBe(true)
}

/** Returns the paths of all cached responses. */
const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
    const requests = (await Promise.all(caches.map((cache) => cache.keys()))).flat()
    return requests.map(({ url }) => new URL(url).pathname + new URL(url).search)
  })

/** Returns the text of all cached responses. */
const keptText = (page: Page) =>
  page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
    const answers = (await Promise.all(caches.map((cache) => cache.matchAll()))).flat()
    return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
  })

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

test('without a network the shop opens with the last seen data and an offline notice', async ({
  page,
  context,
  faults,
}) => {
  await page.clock.install()
  await register(page)
  await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
  await payInWindow(page, press(/^Pay/))
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  await page.goto('/categories')
  const shown = page.getByRole('listitem').or(page.locator('.product')).first()
  await expect(shown).toBeVisible()
  await untilKept(page, '/api/products?limit=200')
  await page.goto('/')
  await untilKept(page, '/api/products?limit=3')
  await untilKept(page, '/api/orders?limit=50')

  await context.setOffline(true)
  await page.reload()
  await heading(page, 'Your Number One Digital Hub')
  await expect(page.getByText('No Internet connection')).toBeVisible()
  const boxOf = async (part: Locator) => (await part.boundingBox())!
  const cart = await boxOf(page.getByRole('link', { name: /^Cart/ }))
  expect((await boxOf(page.locator('.notice'))).y).toBeGreaterThanOrEqual(cart.y + cart.height)
  expect((await keptPaths(page)).join()).toMatch(/\/assets\/scenes-[\w-]+\.svg/)
  await expect(page.locator('.product')).toHaveCount(3)
  await page.goto('/orders')
  await expect(page.getByText('1 order(s)')).toBeVisible()
  await page.goto('/categories')
  await expect(page.getByText(/\d+ product\(s\) found/)).toBeVisible()
  expect(await page.locator('.product').count()).toBeGreaterThan(10)

  await context.setOffline(false)
  await expect(page.getByText('Connected to the Internet')).toBeVisible()
  await stopClock(page)
  await page.clock.runFor(3000)
  await expect(page.getByText('Connected to the Internet')).toBeHidden()
  await expect(page.getByText('No Internet connection')).toBeHidden()
  forgive(faults, /ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
})

test('without a network a buyer reads stored books and lessons and sees the cart, and the reading place syncs later', async ({
  page,
  context,
  browser,
  faults,
}) => {
  const seller = await (await browser.newContext()).newPage()
  const book = await sell(seller, {
    name: 'leaflet.pdf',
    type: 'application/pdf',
    data: pdfOf(['One', 'Two', 'Three']),
  })
  await seller.context().close()
  await register(page)
  await buy(page, book, 'Read Music, Slowly')
  await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
  await untilKept(page, '/api/cart')
  await page.goto('/library')
  const library = async () => (await keptPaths(page)).find((path) => /^\/api\/library(\?|$)/.test(path))
  await expect.poll(library).toBeDefined()
  await page.getByRole('button', { name: `More for ${book}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Keep leaflet.pdf on this device' }).click()
  await expect(dialog.getByRole('button', { name: 'Remove leaflet.pdf from this device' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.poll(async () => (await keptPaths(page)).join()).toMatch(/pdf\.worker/)
  await open(page, 'Read Music, Slowly')
  await page.getByRole('button', { name: 'Keep the lessons on this device' }).click()
  await expect(page.getByRole('button', { name: 'Remove the lessons from this device' })).toBeVisible()

  await context.setOffline(true)
  await page.goto('/library?show=kept')
  await page.getByRole('link', { name: `Read ${book}` }).click()
  const text = page.locator('.reader__page > .sr')
  await expect(text).toContainText('One')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(text).toContainText('Three')
  await page.goto('/library')
  await expect(page.getByText('You can still open 2 things on this device.')).toBeVisible()
  await page.getByRole('link', { name: 'Open course Read Music, Slowly' }).click()
  for (const lesson of ['Lines and spaces', 'Long and short']) {
    await heading(page, lesson)
    await expect(page.locator('.lesson-text')).toContainText(/\w{4}/)
    await page.getByRole('link', { name: 'Next lesson' }).click()
  }
  await page.goto('/cart')
  await expect(page.getByText('Your cart as last seen.')).toBeVisible()
  await expect(page.getByText('Salt and Time').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove Salt and Time' })).toBeDisabled()

  await context.setOffline(false)
  await expect(page.getByText('Your cart as last seen.')).toHaveCount(0)
  // the device syncs its reading place when it opens the book again
  await open(page, book)
  await expect(text).toContainText('Three')
  const other = await (await browser.newContext({ storageState: await context.storageState() })).newPage()
  await open(other, book)
  await expect(other.locator('.reader__page > .sr')).toContainText('Three')
  await other.context().close()
  forgive(faults, /ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
})

test('without a network a stored sound plays on while its listener reads a stored book', async ({
  page,
  context,
  faults,
}) => {
  const [sound, book] = ['Night Train', 'A Year of Small Walks']
  await register(page)
  await buy(page, sound, book)
  await page.goto('/library')
  await untilKept(page, '/api/library?limit=50')
  for (const title of [sound, book]) {
    await page.getByRole('button', { name: `More for ${title}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Keep .* on this device/ }).click()
    await expect(dialog.getByRole('button', { name: /^Remove .* from this device/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toHaveCount(0)
  }

  await context.setOffline(true)
  await page.goto('/library?show=kept')
  await page.getByRole('link', { name: `Listen ${sound}` }).click()
  // loops, because the audio lasts five seconds
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => (audio.loop = true))
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.getByRole('link', { name: 'Library' }).first().click()
  await expect(page.getByRole('region', { name: 'Player' })).toContainText(sound)
  await page.getByRole('link', { name: `Read ${book}` }).click()
  await expect(page.locator('.reader__text')).toContainText(/\w{4}/)
  await page.getByRole('button', { name: 'Text and paper' }).click()
  const look = page.getByRole('dialog', { name: 'Text and paper' })
  await look.getByRole('button', { name: 'Night' }).click()
  await page.keyboard.press('Escape')
  await expect(page.locator('.reading')).toHaveAttribute('data-paper', 'night')
  await openEntry(page, 1)
  await expect(page.getByText('2 of 7')).toBeVisible()
  expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(false)
  forgive(faults, /ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
})

test('the end of a session, another member and signing out remove personal data from the browser', async ({
  page,
  context,
}) => {
  await register(page, 'Wilhelmina')
  await page.goto('/orders')
  await untilKept(page, '/api/orders?limit=50')
  const cookies = await context.cookies()
  const other = await context.browser()!.newContext()
  const account = await register(await other.newPage(), 'Bertram')
  await other.close()
  await context.clearCookies()
  await page.goto('/')
  await heading(page, 'Fast and Reliable Digital Services')
  expect(await keptText(page)).not.toContain('Wilhelmina')

  await context.addCookies(cookies)
  await page.goto('/orders')
  await untilKept(page, '/api/auth/user')
  expect(await keptText(page)).toContain('Wilhelmina')
  await context.clearCookies()
  await signIn(page, account)
  await page.goto('/orders')
  await untilKept(page, '/api/orders?limit=50')
  await expect.poll(() => keptText(page)).toContain('Bertram')
  expect(await keptText(page)).not.toContain('Wilhelmina')

  await signOut(page)
  await expect.poll(async () => (await keptPaths(page)).filter((path) => /orders|auth/.test(path))).toEqual([])
  expect(await keptText(page)).not.toContain('Bertram')
  expect(await keptText(page)).not.toContain(account.email)
})

test('a page of an older build loads the newer build at the next link', async ({ page }) => {
  await signUp(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.evaluate(() => {
    document.documentElement.dataset.build = 'older'
    Object.assign(window, { isOld: true })
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { build: 'newer' } }))
  })
  await page.getByRole('link', { name: 'View All' }).click()
  await heading(page, 'All Categories')
  expect(await page.evaluate(() => 'isOld' in window)).toBe(false)
})

test('the shop is installable, and a push notification has the address of its page', async ({
  page,
  context,
  request,
}) => {
  await signUp(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  // With the permission, the shop subscribes when it opens. A headless browser cannot, so the test grants it later.
  await context.grantPermissions(['notifications'])
  const worker = context.serviceWorkers()[0]!
  const shown = await worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: { showNotification: (heading: string, options: NotificationOptions) => Promise<void> }
      dispatchEvent: (event: Event) => boolean
      PushEvent: new (type: string, init: { data: string }) => Event
    }
    // A headless browser shows no notifications.
    const next = new Promise<{ heading: string; body?: string; data: string }>((resolve) => {
      scope.registration.showNotification = (heading, { body, data }) =>
        Promise.resolve(resolve({ heading, body, data: String(data) }))
    })
    const message = { title: 'Your order is ready', body: 'Download it now.', url: '/orders' }
    scope.dispatchEvent(new scope.PushEvent('push', { data: JSON.stringify(message) }))
    return next
  })
  expect(shown).toEqual({ heading: 'Your order is ready', body: 'Download it now.', data: '/orders' })

  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as {
    name: string
    start_url: string
    display: string
    icons: { src: string; sizes: string; purpose: string }[]
  }
  expect(manifest).toMatchObject({ name: 'Primo', start_url: '/', display: 'standalone' })
  for (const { src } of manifest.icons) {
    const icon = await request.get(src)
    expect(icon.status(), src).toBe(200)
    expect(icon.headers()['content-type']).toMatch(/^image\//)
  }
  const script = await request.get('/sw.js')
  expect(script.headers()['cache-control']).toBe('public, no-cache')
  expect(script.headers()['content-security-policy']).toContain("default-src 'none'")
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.webmanifest')
})
