import { readFileSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import { type Browser, expect, type Page, test as base } from '@playwright/test'
import { join } from './ownShop.ts'

// A test fails on faults that no customer should meet: an error in the console, an unhandled rejection, a 5xx.

// Console messages of the browser about error responses that the page handles, or connections that a test cuts.
const EXPECTED =
  /Failed to load resource: the server responded with a status of (401|403|404|409|410)|Clear-Site-Data|net::ERR_CONNECTION_RESET|the payment window reports/

export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ context }, use) => {
      const faults: string[] = []
      context.pages().forEach((page) => watch(page, faults))
      context.on('page', (page) => watch(page, faults))
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

/** Collects the faults of a page. */
export function watch(page: Page, faults: string[] = []): string[] {
  leaveInOrder(page)
  page.on('pageerror', (error) => faults.push(`unhandled: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
  })
  return faults
}

/** Removes the faults that a test provokes on purpose. */
export const forgive = (faults: string[], expected: RegExp) =>
  faults.splice(0, faults.length, ...faults.filter((fault) => !expected.test(fault)))

/**
 * A closing dialog steps back in the history, which would race with a navigation. So a navigation waits for that step,
 * and then for hydration, because the page drops a press that waits too long. A test of the page before its script
 * navigates with `waitUntil`.
 */
function leaveInOrder(page: Page) {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const untilBack = () =>
    page.waitForFunction(() => {
      const { dialogs = 0 } = (history.state as { dialogs?: number } | null) ?? {}
      return dialogs <= document.querySelectorAll('[role=dialog], dialog[open]').length
    })
  // a test may break the page on purpose
  const untilTaken = () => untilAnswering(page, 10_000).catch(() => undefined)
  page.goto = async (url, options) => {
    await untilBack()
    const response = await goto(url, options)
    if (!options?.waitUntil) await untilTaken()
    return response
  }
  page.reload = async (options) => {
    await untilBack()
    const response = await reload(options)
    if (!options?.waitUntil) await untilTaken()
    return response
  }
}

/** Returns true once React has hydrated a server-rendered page, so that it handles presses. Runs in the page. */
export const isAnswering = () =>
  !document.getElementById('own') ||
  Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__react'))

export const untilAnswering = (page: Page, timeout = 20_000) =>
  page.waitForFunction(isAnswering, undefined, { timeout })

const undrawn = new WeakSet<Page>()

/** Replaces the server's answer to a read. Loads pages without server-rendered data, so that they send the read. */
export async function routeRead(page: Page, ...given: Parameters<Page['route']>) {
  if (!undrawn.has(page)) {
    undrawn.add(page)
    await page.route(/./, async (route) => {
      if (!route.request().isNavigationRequest()) return route.fallback()
      const response = await route.fetch({ maxRedirects: 0 })
      const isDrawn =
        response.headers()['content-type']?.includes('html') && (await response.text()).includes('id="own"')
      if (!isDrawn) return route.fulfill({ response })
      const headers = { ...route.request().headers(), 'sec-fetch-dest': 'empty' }
      return route.fulfill({ response, body: await (await page.request.get('/index.html', { headers })).text() })
    })
  }
  await page.route(...given)
}

/** Removes all replaced answers of a test. */
export async function unrouteReads(page: Page) {
  undrawn.delete(page)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

/** Tags of tests that need only one width: a phone's, or a desktop's. */
export const ONCE = '@once'
export const WIDE = '@wide'

/** The uploader stays open after an upload until the member presses Done. */
export const closeUploader = (page: Page) => page.getByRole('button', { name: 'Done', exact: true }).first().click()

export type Account = { email: string; password: string }

export const newAccount = (): Account => ({
  email: `${crypto.randomUUID()}@test.example`,
  password: `quiet ${crypto.randomUUID()}`,
})

const headers = () => ({ origin: base.info().project.use.baseURL! })

/** Signs `page` in as a new member with a name and a password, by the calls of the forms. Opens no page. */
export const register = (page: Page, firstName?: string): Promise<Account> =>
  join(page.context().request, base.info().project.use.baseURL!, firstName)

/** Opens home as a new member. */
export async function signUp(page: Page, firstName = 'Robin'): Promise<Account> {
  const account = await register(page, firstName)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
  return account
}

/** Signs `page` in to an existing account, by the same call as the sign-in form. Opens no page. */
export async function enter(page: Page, account: Account) {
  const { request } = page.context()
  await request.post('/api/login/password', { form: account, headers: headers() })
  expect((await request.get('/api/auth/user')).status()).toBe(200)
}

export type DemoRole = 'admin' | 'seller' | 'shopper'

export function demoAccount(role: DemoRole): Account {
  const file = pathOf(process.env.E2E_DATA_DIR!, 'demo-accounts.json')
  const accounts = JSON.parse(readFileSync(file, 'utf8')) as (Account & { role: string })[]
  const { email, password } = accounts.find((account) => account.role === role)!
  return { email, password }
}

/** Opens a page of the demo store's administrator in a separate browser context. */
export async function openStaff(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  leaveInOrder(page)
  await enter(page, demoAccount('admin'))
  return page
}

export async function signIn(page: Page, { email, password }: Account) {
  await page.goto('/api/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
}

export async function signOut(page: Page) {
  await page.goto('/settings')
  await page
    .getByRole('link', { name: 'Sign Out' })
    .or(page.getByRole('button', { name: 'Sign Out' }))
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fast and Reliable Digital Services' })).toBeVisible()
}

type ProductRow = { id: string; price: string }

export async function findProduct(page: Page, title: string): Promise<ProductRow> {
  const found = await page.request.get(`/api/products?q=${encodeURIComponent(title)}&limit=1`)
  return ((await found.json()) as ProductRow[])[0]!
}

/** Puts products into the cart by an API request. */
export async function fillCart(page: Page, title: string, quantity = 1): Promise<ProductRow> {
  const product = await findProduct(page, title)
  const data = { productId: product.id, quantity }
  expect((await page.request.post('/api/cart', { data, headers: headers() })).status()).toBeLessThan(300)
  return product
}

/** Lists a product with a file for the member, by API requests. Returns its id. */
export async function listProduct(page: Page, title: string): Promise<string> {
  const { request } = page.context()
  const send = async (method: 'post' | 'put', path: string, data: object) => {
    const answer = await request[method](path, { data, headers: headers() })
    expect(answer.ok(), path).toBe(true)
    return (await answer.json()) as { id: string; uploadURL: string }
  }
  const { id } = await send('post', '/api/products', { title, price: '5.00', categoryId: 'ebooks' })
  const { uploadURL } = await send('post', '/api/objects/upload', {})
  const put = { data: Buffer.from('A short text.'), headers: { ...headers(), 'content-type': 'text/plain' } }
  expect((await request.put(uploadURL, put)).ok()).toBe(true)
  await send('put', `/api/products/${id}/files`, { digitalFileURL: uploadURL })
  return id
}

/**
 * A question that the assistant leaves to staff, different in each test. It holds no digit, because the assistant would
 * take some numbers for an order.
 */
export const newQuestion = () =>
  `Lorem ipsum ${crypto
    .randomUUID()
    .replaceAll('-', '')
    .replaceAll(/\d/g, (digit) => 'ghjkmnpqvw'[Number(digit)]!)}`

export const cartOf = async (page: Page) =>
  (await (await page.request.get('/api/cart')).json()) as { quantity: number }[]

/** Places an order of the cart that waits for its payment, and opens its page. */
export async function placeUnpaid(page: Page, paymentMethod = 'paypal'): Promise<string> {
  const lines = (await (await page.request.get('/api/cart')).json()) as {
    productId: string
    quantity: number
    product: { price: string }
  }[]
  const items = lines.map(({ productId, quantity, product: { price } }) => ({ productId, quantity, price }))
  const cents = items.reduce((sum, { price, quantity }) => sum + Math.round(Number(price) * 100) * quantity, 0)
  const paid = { total: (cents / 100).toFixed(2), paymentMethod, paymentId: crypto.randomUUID() }
  const headers = { origin: test.info().project.use.baseURL! }
  const data = { items, ...paid, source: 'cart', walletId: null }
  const placed = await page.request.post('/api/orders', { data, headers })
  expect(placed.status(), await placed.text()).toBe(201)
  const { id } = (await placed.json()) as { id: string }
  await page.goto(`/orders/${id}`)
  return id
}

export const SAVED = {
  id: crypto.randomUUID(),
  method: 'paypal',
  label: 'PayPal buyer@example.com',
  keptSince: '2026-01-01',
}

/** Shows a saved wallet as the chosen way to pay. `isRead` is fulfilled with its reply. */
export async function showSavedWallet(page: Page): Promise<{ isRead: Promise<void> }> {
  const read = Promise.withResolvers<void>()
  await routeRead(page, '**/api/payments/methods', async (route) => {
    const { methods } = (await (await route.fetch()).json()) as { methods: object[] }
    await route.fulfill({ json: { methods, saved: [SAVED], choice: { method: SAVED.method, walletId: SAVED.id } } })
    read.resolve()
  })
  return { isRead: read.promise }
}

/** Finds a product through the search of the shop and adds it to the cart on its page. */
export async function addToCart(page: Page, title: string) {
  await page.goto(`/categories?q=${encodeURIComponent(title)}`)
  await page.getByRole('link', { name: title }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
}

/**
 * Stops the installed clock of a page, so that a notification stays until the test advances the time. On a busy machine
 * the page can pass the chosen moment before the clock stops; then a later moment is chosen.
 */
export async function stopClock(page: Page) {
  for (let ahead = 500; ; ahead *= 4) {
    try {
      return await page.clock.pauseAt((await page.evaluate(() => Date.now())) + ahead)
    } catch (error) {
      if (!/fast-forward to the past/.test(String(error)) || ahead > 10_000) throw error
    }
  }
}

/**
 * Waits until all finite animations have ended, because a moving element is half transparent. The end of one colour
 * transition can start another in a child, so the check repeats.
 */
export const untilStill = (page: Page) =>
  page.evaluate(async () => {
    const isEnding = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Infinity
    let moving: Animation[] = []
    do {
      await Promise.allSettled(moving.map(({ finished }) => finished))
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
      moving = document.getAnimations().filter(isEnding)
    } while (moving.length > 0)
  })

/** Presses the provider's button and acts in its window. */
export async function payInWindow(
  page: Page,
  act: (popup: Page) => Promise<void>,
  button = page.getByRole('button', { name: 'Pay with PayPal' }),
) {
  const opened = page.waitForEvent('popup')
  await button.click()
  const popup = await opened
  await popup.waitForURL(/checkoutnow/)
  await act(popup)
}

/** Presses a button of the provider's window, which may close during the press. */
export const press = (name: RegExp) => (popup: Page) =>
  whileItCloses(popup, popup.getByRole('button', { name }).click())

/** Ignores the error of an action during which the window closed. */
export async function whileItCloses(popup: Page, act: Promise<void>) {
  await act.catch((error: unknown) => {
    if (!popup.isClosed()) throw error
  })
}

export { expect }
