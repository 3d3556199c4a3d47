import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { launchBrowser, signIn, startDemoShop } from './demoShop.ts'

// `npm run screenshots` takes the pages of the demo store, phone and desktop, light and dark, into docs/screenshots/.

const OUT = join(import.meta.dirname, '../docs/screenshots')
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
type Things = { productId: string; orderId: string }
type Picture = { name: string; path: string | ((things: Things) => string); open?: (page: Page) => Promise<void> }

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
const PICTURES: Picture[] = [
  { name: 'home', path: '/' },
  { name: 'add-product', path: '/', open: press('Add Product') },
  { name: 'categories', path: '/categories' },
  { name: 'product', path: ({ productId }) => `/product/${productId}` },
  { name: 'cart', path: '/cart' },
  { name: 'orders', path: '/orders' },
  { name: 'order', path: ({ orderId }) => `/orders/${orderId}` },
  { name: 'wishlist', path: '/wishlist' },
  { name: 'profile', path: '/profile' },
  { name: 'settings', path: '/settings' },
  { name: 'help', path: '/help' },
  { name: 'help-article', path: '/help/refunds' },
  { name: 'chat', path: '/orders', open: ask },
  { name: 'not-found', path: '/no/such/page' },
]

const shop = await startDemoShop()
const { url } = shop
try {
  const browser = await launchBrowser()
  mkdirSync(OUT, { recursive: true })
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const mode of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, deviceScaleFactor: 1, reducedMotion: 'reduce' })
      await context.addInitScript(
        (wanted) => localStorage.setItem('preferences', JSON.stringify({ mode: wanted })),
        mode,
      )
      const page = await context.newPage()
      await takeSignedOut(page, `${size}-${mode}`)
      await signIn(page, shop)
      await takePages(page, `${size}-${mode}`)
      await context.clearCookies()
      await signIn(page, shop, 'admin')
      await page.goto(`${url}/admin/chat`)
      await save(page, `support-inbox-${size}-${mode}`)
      await context.close()
    }
  }
  await browser.close()
} finally {
  await shop.stop()
}

async function save(page: Page, name: string) {
  // A heading behind a dialog has no role.
  await page.locator('h1').first().waitFor()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await page.evaluate('document.fonts.ready')
  await sleep(600)
  const png = await page.screenshot()
  await sharp(png)
    .webp({ quality: 82 })
    .toFile(join(OUT, `${name}.webp`))
}

async function takeSignedOut(page: Page, suffix: string) {
  await page.goto(url)
  await save(page, `landing-${suffix}`)
  await page.goto(`${url}/api/login`)
  await save(page, `sign-in-${suffix}`)
}

async function takePages(page: Page, suffix: string) {
  const things = await gather(page)
  for (const { name, path, open } of PICTURES) {
    await page.goto(url + (typeof path === 'string' ? path : path(things)))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await open?.(page)
    await save(page, `${name}-${suffix}`)
  }
}

/** Makes an order and fills cart and wishlist. */
async function gather(page: Page): Promise<Things> {
  const products = (await (await page.request.get(`${url}/api/products?limit=5`)).json()) as { id: string }[]
  const put = (id: string) => page.request.post(`${url}/api/cart`, { data: { productId: id, quantity: 1 } })
  for (const { id } of products) await page.request.put(`${url}/api/wishlist/${id}`)
  for (const { id } of products.slice(0, 3)) await put(id)
  await page.goto(`${url}/cart`)
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
  const orderId = new URL(page.url()).pathname.split('/')[2]!
  for (const { id } of products.slice(2)) await put(id)
  return { productId: products[1]!.id, orderId }
}

async function ask(page: Page) {
  await press('AI Assistant')(page)
  const field = page.getByPlaceholder('Type your message...')
  await field.fill('How do I get a refund?')
  await field.press('Enter')
  await page.getByRole('log').getByRole('link').first().waitFor()
}
