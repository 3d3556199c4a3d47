import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findChromium } from './chromium.ts'
import { findFreePort } from '../src/kit/port.server.ts'

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

const dataDir = mkdtempSync(join(tmpdir(), 'primo-pictures-'))
const port = String(await findFreePort())
const url = `http://localhost:${port}`
const shop = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../src/app/main.server.ts')],
  {
    env: { ...process.env, PORT: port, DATA_DIR: dataDir, RATE_LIMIT_SCALE: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)

try {
  await untilReady()
  const { path, problem } = await findChromium()
  if (problem) throw new Error(problem)
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({
    executablePath: path,
    args: isRoot ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
  })
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
      await signIn(page)
      await takePages(page, `${size}-${mode}`)
      await context.close()
    }
  }
  await browser.close()
} finally {
  shop.kill('SIGTERM')
  await new Promise((done) => shop.once('exit', done))
  rmSync(dataDir, { recursive: true, force: true })
}

async function untilReady() {
  for (let tries = 0; tries < 120; tries++) {
    if (shop.exitCode !== null) throw new Error('the shop did not start')
    if (
      await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
    await sleep(500)
  }
  throw new Error('the shop did not become ready')
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

async function signIn(page: Page) {
  const accounts = JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')) as {
    role: string
    email: string
    password: string
  }[]
  const { email, password } = accounts.find(({ role }) => role === 'shopper')!
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
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
