import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { startShop } from '../drill/shopProcess.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'

// The pictures of README.md, from a separate demo store.

const ROOT = join(import.meta.dirname, '..')
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
// Source text, because this part of the repository has no DOM types.
const ANSWERS = `Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__react'))`
const SHOWN = `!document.querySelector('.skeleton, .loading') && [...document.images].every(({ complete }) => complete)`

type Picture = { name: string; path: string; mode: 'light' | 'dark'; on: BrowserContextOptions }

type DemoStore = { base: string; dataDir: string; browser: Browser }

export async function takeReadmePictures(executablePath: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'primo-screenshots-'))
  // PostgreSQL cannot run as root. It runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  const port = await findFreePort()
  const base = `http://localhost:${port}`
  const shop = await startShop(port, {
    ...{ DATA_DIR: dataDir, NODE_ENV: 'development' },
    ...{ LOG_LEVEL: 'warn', PUBLIC_URL: base },
  })
  const browser = await chromium.launch({ executablePath })
  const store = { base, dataDir, browser }
  try {
    const account = await readShopper(store)
    const { id: orderId, productIds } = await prepare(store, account)
    const pictures: Picture[] = [
      { name: 'home-phone-light', path: '/', mode: 'light', on: PHONE },
      { name: 'cart-phone-dark', path: '/cart', mode: 'dark', on: PHONE },
      { name: 'orders-desktop-light', path: `/orders/${orderId}`, mode: 'light', on: DESKTOP },
      { name: 'categories-desktop-dark', path: '/categories', mode: 'dark', on: DESKTOP },
    ]
    for (const picture of pictures) await take(store, picture, account)
    process.stdout.write(`${pictures.length} pictures of README.md, with ${productIds.length} products in the cart\n`)
  } finally {
    await browser.close()
    await shop.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Account = { email: string; password: string }

/** The first start writes the demo accounts while it fills the store. */
async function readShopper({ base, dataDir }: DemoStore): Promise<Account> {
  for (let tries = 0; ; tries++) {
    try {
      const text = readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')
      const found = (JSON.parse(text) as (Account & { role: string })[]).find(({ role }) => role === 'shopper')
      const products = (await (await fetch(`${base}/api/products?limit=60`)).json()) as unknown[]
      if (found && products.length >= 60) return found
    } catch (error) {
      if (tries > 600) throw error
    }
    await pause(500)
  }
}

async function signIn(
  { base, browser }: DemoStore,
  on: BrowserContextOptions,
  { email, password }: Account,
): Promise<Page> {
  const context = await browser.newContext({ ...on, baseURL: base, locale: 'en-US', timezoneId: 'America/New_York' })
  const headers = { origin: base, 'sec-fetch-site': 'same-origin' }
  await context.request.post('/api/login/password', { form: { email, password }, headers })
  return context.newPage()
}

async function prepare(store: DemoStore, account: Account) {
  const { base } = store
  const page = await signIn(store, DESKTOP, account)
  const products = (await (await page.request.get('/api/products?kind=file&limit=12')).json()) as { id: string }[]
  const [bought, ...others] = products.map(({ id }) => id)
  const add = (productId: string) =>
    page.request.post('/api/cart', {
      data: { productId, quantity: 1 },
      headers: { origin: base, 'sec-fetch-site': 'same-origin' },
    })
  if (bought) await add(bought)
  // The demo store saves the wallet last.
  while (((await (await page.request.get('/api/wallets')).json()) as unknown[]).length === 0) await pause(200)
  await page.goto('/cart')
  await until(page, ANSWERS)
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  const order = await untilBought(page)
  const productIds = others.slice(0, 2)
  for (const productId of productIds) await add(productId)
  await page.context().close()
  return { id: order.id, productIds }
}

/** Polls an expression in the page. Playwright's wait needs eval, which the page's policy forbids. */
async function until(page: Page, expression: string) {
  while (!(await page.evaluate<boolean>(expression))) await pause(50)
}

async function untilBought(page: Page): Promise<{ id: string }> {
  for (let tries = 0; tries < 600; tries++) {
    const orders = (await (await page.request.get('/api/orders')).json()) as { id: string; status: string }[]
    const order = orders.find(({ status }) => status === 'completed')
    if (order) return order
    await pause(100)
  }
  throw new Error('the order was not completed')
}

async function take(store: DemoStore, { name, path, mode, on }: Picture, account: Account) {
  const page = await signIn(store, on, account)
  await page.goto(path)
  await until(page, `${ANSWERS} && ${SHOWN}`)
  await page.evaluate(`document.documentElement.dataset.mode = '${mode}'
    document.fonts.ready.then(() => undefined)`)
  await sharp(await page.screenshot({ animations: 'disabled' }))
    .webp({ quality: 80 })
    .toFile(join(ROOT, `docs/screenshots/${name}.webp`))
  await page.context().close()
}
