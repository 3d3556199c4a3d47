import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { launchBrowser, signIn, startDemoShop } from './demoShop.ts'

// `npm run screenshots` takes the pictures of README.md from the demo store.

const OUT = join(import.meta.dirname, '../docs/screenshots')
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const PICTURES = [
  { name: 'cart', size: 'phone', mode: 'dark', open: fillCart },
  { name: 'home', size: 'phone', mode: 'light' },
  { name: 'categories', size: 'desktop', mode: 'dark' },
  { name: 'orders', size: 'desktop', mode: 'light', open: buy },
] as const

const shop = await startDemoShop()
const browser = await launchBrowser()
for (const { name, size, mode, ...picture } of PICTURES) {
  const context = await browser.newContext({ viewport: SIZES[size], reducedMotion: 'reduce', baseURL: shop.url })
  await context.addInitScript((wanted) => localStorage.setItem('preferences', JSON.stringify({ mode: wanted })), mode)
  const page = await context.newPage()
  await signIn(page, shop)
  if ('open' in picture) await picture.open(page)
  await page.goto(name === 'home' ? '/' : `/${name}`)
  await page.locator('h1').first().waitFor()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(600)
  const file = join(OUT, `${name}-${size}-${mode}.webp`)
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(file)
  await context.close()
}
await browser.close()
await shop.stop()

async function fillCart(page: Page) {
  const products = (await (await page.request.get('/api/products?limit=3')).json()) as { id: string }[]
  for (const { id } of products) await page.request.post('/api/cart', { data: { productId: id, quantity: 1 } })
}

async function buy(page: Page) {
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
}
