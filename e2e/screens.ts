import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { expect } from './shop.ts'

// Every screen of the shop, for the tests that look at all of them. Whoever adds a page or a dialog adds a line here.

export type Role = 'nobody' | 'shopper' | 'admin'
/** Things of the shopper that addresses name. */
export type Things = { productId: string; orderId: string }
export type Screen = {
  name: string
  as?: Role
  path: string | ((things: Things) => string)
  /** Stands in for the server where a state is hard to bring about. */
  before?: (page: Page) => Promise<void>
  /** Opens the dialog, panel or notice that the screen is about. */
  open?: (page: Page) => Promise<void>
  /** The page cannot be drawn, and says so in the console too. */
  isBroken?: boolean
}

const answer =
  (path: string, json: unknown, status = 200) =>
  async (page: Page) =>
    page.route(`**${path}`, (route) => route.fulfill({ json, status }))
const hang = (path: string) => async (page: Page) => page.route(`**${path}`, () => undefined)
const press =
  (name: string | RegExp, role: 'button' | 'link' = 'button') =>
  async (page: Page) =>
    page.getByRole(role, { name }).first().click()
const openDialog = (name: RegExp | string) => async (page: Page) => {
  await press(name)(page)
  await expect(page.getByRole('dialog')).toBeVisible()
}

/** The demo store sells files alone: its goods are shown as codes. */
const sellCodes = async (page: Page) => {
  await page.route('**/api/orders?limit=50', async (route) => {
    const response = await route.fetch()
    const orders = (await response.json()) as { lines: { delivery: unknown }[] }[]
    for (const line of orders.flatMap(({ lines }) => lines)) line.delivery = { kind: 'code', count: 2 }
    await route.fulfill({ response, json: orders })
  })
  await page.route('**/lines/*/reveal', (route) => route.fulfill({ json: { codes: ['K7QM-2XVD', 'T4HB-9WRC'] } }))
}

const USER_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const WHEN = '2026-11-21T09:00:00.000Z'
const customer = { userId: USER_ID, name: 'Ada Okafor', email: 'ada@example.com', joinedAt: WHEN }
const message = (id: string, text: string, from: 'isFromUser' | 'isFromAdmin') => ({
  id,
  message: text,
  isFromUser: from === 'isFromUser',
  isFromAdmin: from === 'isFromAdmin',
  staffName: from === 'isFromAdmin' ? 'Lena' : null,
  articles: [],
  createdAt: WHEN,
})

/** A conversation that waits too long, as the inbox shows it. */
const conversation = async (page: Page) => {
  await answer('/api/admin/chat', [
    {
      ...customer,
      lastAt: WHEN,
      lastMessage: 'Ipsum',
      lastIsFromUser: true,
      unread: 2,
      waitingSince: WHEN,
      isLate: true,
    },
  ])(page)
  await answer(`/api/admin/chat/${USER_ID}`, {
    customer,
    waitingSince: WHEN,
    messages: [message('1', 'Lorem', 'isFromUser'), message('2', 'Dolor', 'isFromAdmin')],
  })(page)
  await answer(`/api/admin/chat/${USER_ID}/read`, { unread: 0 })(page)
}

export const screens: Screen[] = [
  { name: 'landing', as: 'nobody', path: '/' },
  {
    name: 'landing, chat notice',
    as: 'nobody',
    path: '/',
    open: async (page) => {
      await press('AI Assistant')(page)
      await page.getByPlaceholder('Type your message...').fill('Hello')
      await press('Send')(page)
      await expect(page.getByText('Please sign in')).toBeVisible()
    },
  },
  { name: 'sign in', as: 'nobody', path: '/api/login' },
  { name: 'sign up', as: 'nobody', path: '/api/login/sign-up' },
  { name: 'forgotten password', as: 'nobody', path: '/api/login/reset' },
  { name: 'home', path: '/' },
  { name: 'home, nothing to sell', path: '/', before: answer('/api/products?limit=3', []) },
  { name: 'home, loading', path: '/', before: hang('/api/products?limit=3') },
  { name: 'add product', path: '/', open: openDialog('Add Product') },
  {
    name: 'add product, mistakes',
    path: '/',
    open: async (page) => {
      await openDialog('Add Product')(page)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^create/i })
        .click()
      await expect(page.getByText('Title is required')).toBeVisible()
    },
  },
  {
    name: 'uploader',
    path: '/',
    open: async (page) => {
      await openDialog('Add Product')(page)
      await page.getByRole('dialog').getByRole('button', { name: /image/i }).click()
      await expect(page.locator('.uppy-Dashboard-inner')).toBeVisible()
    },
  },
  { name: 'categories', path: '/categories' },
  { name: 'categories, nothing found', path: '/categories?q=zzzzqqqq' },
  { name: 'categories, failed', path: '/categories', before: answer('/api/products?limit=200', {}, 404) },
  { name: 'product', path: ({ productId }) => `/product/${productId}` },
  { name: 'product, missing', path: '/product/0190b3c2-7f58-7cc3-98c4-dc0c0c07398f' },
  {
    name: 'product, loading',
    path: ({ productId }) => `/product/${productId}`,
    before: hang('/api/products/*'),
  },
  {
    name: 'product, failed',
    path: ({ productId }) => `/product/${productId}`,
    before: answer('/api/products/*', {}, 409),
  },
  { name: 'cart', path: '/cart' },
  { name: 'cart, empty', path: '/cart', before: answer('/api/cart', []) },
  {
    name: 'cart, much at once',
    path: '/cart',
    before: async (page) =>
      page.route('**/api/cart', async (route) => {
        const response = await route.fetch()
        const lines = (await response.json()) as object[]
        await route.fulfill({ response, json: lines.map((line) => ({ ...line, quantity: 20 })) })
      }),
    open: openDialog('Quick Buy'),
  },
  { name: 'cart, loading', path: '/cart', before: hang('/api/cart') },
  { name: 'cart, failed', path: '/cart', before: answer('/api/cart', {}, 404) },
  { name: 'orders', path: '/orders' },
  { name: 'orders, empty', path: '/orders', before: answer('/api/orders?limit=50', []) },
  { name: 'orders, loading', path: '/orders', before: hang('/api/orders?limit=50') },
  { name: 'order', path: ({ orderId }) => `/orders/${orderId}` },
  { name: 'order, unknown', path: '/orders/none-of-mine' },
  {
    name: 'code of an order',
    path: ({ orderId }) => `/orders/${orderId}`,
    before: sellCodes,
    open: async (page) => {
      await openDialog(/^Reveal the code/)(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
      await expect(page.getByText('K7QM-2XVD')).toBeVisible()
    },
  },
  { name: 'profile', path: '/profile' },
  { name: 'wishlist', path: '/wishlist' },
  { name: 'change password', path: '/settings', open: openDialog('Change Password') },
  { name: 'two-factor authentication', path: '/settings', open: openDialog('Two-Factor Authentication') },
  { name: 'settings of staff', as: 'admin', path: '/settings' },
  { name: 'configure webhooks', path: '/settings', open: openDialog('Configure Webhooks') },
  { name: 'edit profile', path: '/profile', open: openDialog('Edit Profile') },
  { name: 'email preferences', path: '/profile', open: openDialog('Email Preferences') },
  { name: 'settings', path: '/settings' },
  {
    name: 'chat',
    path: '/',
    open: async (page) => {
      await press('AI Assistant')(page)
      await expect(page.getByRole('log')).toBeVisible()
      await page.getByPlaceholder('Type your message...').fill('How do I get a refund?')
      await press('Send')(page)
      await expect(page.getByRole('log').getByText('How do I get a refund?').first()).toBeVisible()
      await page.getByPlaceholder('Type your message...').fill('x'.repeat(1990))
    },
  },
  {
    name: 'chat, failed',
    path: '/',
    before: answer('/api/chat', {}, 404),
    open: async (page) => {
      await press('AI Assistant')(page)
      await expect(page.getByText('The messages could not be loaded')).toBeVisible()
    },
  },
  { name: 'help center', path: '/help' },
  { name: 'help center, nothing found', path: '/help?q=zzzzqqqq' },
  { name: 'help article', path: '/help/downloads' },
  { name: 'help article, unknown', path: '/help/no-such-thing' },
  { name: 'support inbox', as: 'admin', path: '/admin/chat' },
  {
    name: 'support conversation',
    as: 'admin',
    path: '/admin/chat',
    before: conversation,
    open: async (page) => {
      await page.getByRole('link', { name: /Ada Okafor/ }).click()
      await expect(page.getByRole('log').getByText('Dolor')).toBeVisible()
    },
  },
  {
    name: 'review, being written',
    path: ({ productId }) => `/product/${productId}`,
    open: press('Write a review'),
  },
  { name: 'unknown page', path: '/no/such/page' },
  { name: 'error', path: '/orders', before: answer('/api/orders?limit=50', [{ id: 'x' }]), isBroken: true },
  {
    name: 'notification',
    path: '/cart',
    before: answer('/api/cart/*', { message: 'Not found' }, 404),
    open: async (page) => {
      await press(/^Remove /)(page)
      await expect(page.getByText('Failed to remove item.').first()).toBeVisible()
    },
  },
  {
    name: 'offline notice',
    path: '/settings',
    open: async (page) => {
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'onLine', { value: false })
        dispatchEvent(new Event('offline'))
      })
      await expect(page.getByText('No Internet connection')).toBeVisible()
    },
  },
]

/** Goes to a screen and waits until it stands still. */
export async function show(page: Page, { path, before, open }: Screen, things: Things) {
  await before?.(page)
  await page.goto(typeof path === 'string' ? path : path(things))
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  if (!before) await expect(page.locator('.skeleton')).toHaveCount(0)
  await open?.(page)
}

export type State = Awaited<ReturnType<BrowserContext['storageState']>>
export type Stage = { states: Record<Role, State | undefined>; things: Things }

/** Signs the demo store's people in; the shopper has an order with a code and a file, and two things in the cart. */
export async function setStage(browser: Browser): Promise<Stage> {
  const [shopper, admin] = await Promise.all([enter(browser, 'shopper'), enter(browser, 'admin')])
  const { request } = shopper
  const find = async (q: string) => {
    const found = (await (await request.get(`/api/products?q=${encodeURIComponent(q)}&limit=1`)).json()) as {
      id: string
    }[]
    return found[0]!.id
  }
  const put = async (productId: string) => request.post('/api/cart', { data: { productId, quantity: 1 } })
  const productId = await find('Salt and Time')
  await request.delete('/api/cart')
  await put(productId)
  await put(await find('Larkspur Coffee Bar'))
  const page = await shopper.newPage()
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
  const orderId = new URL(page.url()).pathname.split('/')[2]!
  await put(productId)
  await put(await find('Morning Bells'))
  const states = { nobody: undefined, shopper: await shopper.storageState(), admin: await admin.storageState() }
  await Promise.all([shopper.close(), admin.close()])
  return { states, things: { productId, orderId } }
}

async function enter(browser: Browser, role: string): Promise<BrowserContext> {
  type Account = { role: string; email: string; password: string }
  const accounts = JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR!, 'demo-accounts.json'), 'utf8')) as Account[]
  const { email, password } = accounts.find((account) => account.role === role)!
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto('/api/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('/')
  return context
}
