import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { launchBrowser, signIn, startDemoShop } from './demoShop.ts'

// `npm run screenshots`: the pages of the demo store, phone and desktop, light and dark, into docs/screenshots/.

const OUT = join(import.meta.dirname, '../docs/screenshots')
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const PAGES = {
  home: '/',
  categories: '/categories',
  product: null,
  cart: '/cart',
  orders: '/orders',
  profile: '/profile',
  settings: '/settings',
}

const shop = await startDemoShop()
const { url } = shop
try {
  const browser = await launchBrowser()
  mkdirSync(OUT, { recursive: true })
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const mode of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, deviceScaleFactor: 1 })
      await context.addInitScript(
        (wanted) => localStorage.setItem('preferences', JSON.stringify({ mode: wanted })),
        mode,
      )
      const page = await context.newPage()
      await takeSignedOut(page, `${size}-${mode}`)
      await signIn(page, shop)
      await takePages(page, `${size}-${mode}`)
      await context.close()
    }
  }
  await browser.close()
} finally {
  await shop.stop()
}

async function save(page: Page, name: string) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await page.evaluate('document.fonts.ready')
  await sleep(400)
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
  const products = (await (await page.request.get(`${url}/api/products?limit=3`)).json()) as {
    id: string
    price: string
  }[]
  for (const { id } of products) await page.request.post(`${url}/api/cart`, { data: { productId: id, quantity: 1 } })
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(url + (path ?? `/product/${products[1]!.id}`))
    await save(page, `${name}-${suffix}`)
    if (name === 'cart') await buy(page)
  }
}

/** So that there is an order to show. */
async function buy(page: Page) {
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
}
