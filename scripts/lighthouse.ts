import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CDPSession, chromium, type LaunchOptions, type Locator, type Page } from '@playwright/test'
import lighthouse from 'lighthouse'
import { startShop } from '../drill/shopProcess.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { findChromium } from './chromium.ts'
import { firstOf, required } from '../src/kit/values/required.ts'
import { medianOf } from '../bench/median.ts'

// `npm run lighthouse` measures pages on a throttled phone (4x CPU, slow 4G) and writes docs/lighthouse.md: medians of
// five runs, and the time from press to paint along a journey.

const RUNS = Number(process.argv[2] ?? 5)
const OUT = join(import.meta.dirname, '../docs/lighthouse.md')
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const TIMES = {
  'first-contentful-paint': 'first paint s',
  'largest-contentful-paint': 'largest paint s',
  'total-blocking-time': 'blocked ms',
  'cumulative-layout-shift': 'shift',
} as const

type Run = { scores: number[]; times: number[]; failed: string[] }

type Step = { name: string; ms: number }

const SLOWER = 4
const FINGER_MS = 80
/** The browser reports only events of at least this duration. */
const MIN_MS = 16

const WATCH = `
  window.seen = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) window.seen.push(duration)
  }).observe({ type: 'event', durationThreshold: ${MIN_MS} })
`

/** Runs Lighthouse on a page as a visitor or a member. Lighthouse clears the storage but not cookies. */
async function visit(demo: DemoShop, path: string, isMember = true): Promise<Run[]> {
  const profile = mkdtempSync(join(tmpdir(), 'primo-lighthouse-'))
  const port = await findFreePort()
  const context = await chromium.launchPersistentContext(
    profile,
    await launchOptions([`--remote-debugging-port=${port}`]),
  )
  const page = await context.newPage()
  if (isMember) await signIn(page, demo)
  if (path === '/cart') await fillCart(page, demo)
  await page.goto('about:blank')
  const runs: Run[] = []
  for (let i = 0; i < RUNS; i++) {
    const result = await lighthouse(demo.url + path, {
      port,
      output: 'json',
      logLevel: 'error',
      formFactor: 'mobile',
      throttlingMethod: 'devtools',
      onlyCategories: [...CATEGORIES],
    })
    const { categories, audits, runtimeError } = required(result, 'the result of Lighthouse').lhr
    if (runtimeError) throw new Error(runtimeError.message)
    runs.push({
      scores: CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100)),
      times: Object.keys(TIMES).map((name) => audits[name]?.numericValue ?? NaN),
      failed: CATEGORIES.slice(1).flatMap((name) =>
        required(categories[name], name)
          .auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
          .map(({ id }) => id),
      ),
    })
  }
  await context.close()
  rmSync(profile, { recursive: true, force: true })
  return runs
}

function report(pages: Record<string, Run[]>, steps: Step[]): string {
  const rows = Object.entries(pages).map(([name, runs]) => {
    const scores = CATEGORIES.map((_, i) => medianOf(runs.map((run) => required(run.scores[i], 'a score'))))
    const [first = 0, largest = 0, blocked = 0, shift = 0] = Object.keys(TIMES).map((_, i) =>
      medianOf(runs.map((run) => required(run.times[i], 'a time'))),
    )
    const times = [(first / 1000).toFixed(2), (largest / 1000).toFixed(2), blocked.toFixed(0), shift.toFixed(3)]
    return [name, ...scores, ...times]
  })
  const failed = [
    ...new Set(
      Object.entries(pages).flatMap(([name, runs]) => runs.flatMap((run) => run.failed.map((id) => `${name}: ${id}`))),
    ),
  ]
  const worst = Math.max(...steps.map(({ ms }) => ms))
  const { length, 0: cpu } = cpus()
  return `# Lighthouse

\`npm run lighthouse\` on ${new Date().toISOString().slice(0, 10)}: ${length} × ${cpu?.model.trim()}, mobile, applied throttling (4x CPU, slow 4G), medians of ${RUNS}. Browser and server share the machine.

${table(['page', ...CATEGORIES, ...Object.values(TIMES)], rows)}

${failed.length > 0 ? `Audits that did not pass: ${failed.join(', ')}.` : 'Every audit of accessibility, best practices and SEO passed.'}

## From press to paint

A journey on a phone at 4x CPU, ${RUNS} runs: the median of the longest event of each step, in milliseconds (the browser reports multiples of 8, from 16). Worst: ${worst}.

${table(
  ['step', 'ms'],
  steps.map(({ name, ms }) => [name, ms]),
)}
`
}

function table(head: readonly string[], rows: (string | number)[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

async function measureJourney(demo: DemoShop): Promise<Step[]> {
  const seen: Step[][] = []
  for (let i = 0; i < RUNS; i++) seen.push(await goOnce(demo))
  return firstOf(seen).map(({ name }, step) => ({
    name,
    ms: medianOf(seen.map((steps) => required(steps[step], 'a step').ms)),
  }))
}

async function goOnce(demo: DemoShop): Promise<Step[]> {
  const browser = await chromium.launch(await launchOptions())
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    baseURL: demo.url,
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  await signIn(page, demo)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const steps: Step[] = []
  for (const [name, find, type] of journey) {
    const { x, y } = await middleOf(find(page))
    await page.waitForTimeout(700)
    await page.evaluate('window.seen.length = 0')
    await tap(devtools, x, y)
    if (type) await type(page)
    await page.waitForTimeout(700)
    const longest = await page.evaluate<number>('Math.max(0, ...window.seen)')
    steps.push({ name, ms: Math.max(MIN_MS, longest) })
  }
  await browser.close()
  return steps
}

async function middleOf(control: Locator) {
  await control.tap({ trial: true })
  const { x, y, width, height } = required(await control.boundingBox(), 'the box of the control')
  return { x: x + width / 2, y: y + height / 2 }
}

/** Taps like a finger, which stays on the screen for a moment. */
async function tap(devtools: CDPSession, x: number, y: number) {
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await sleep(FINGER_MS)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

const nav = (name: string) => (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const inDialog = (page: Page) => page.getByRole('dialog')

const journey: [string, (page: Page) => Locator, ((page: Page) => Promise<void>)?][] = [
  ['go to Shop', nav('Shop')],
  ['choose a category', (page) => page.getByRole('main').getByText('E-Books', { exact: true }).first()],
  ['type a search', search, (page) => page.keyboard.type('bread', { delay: 90 })],
  ['clear the search', search, (page) => search(page).fill('')],
  ['add to cart', (page) => page.locator('.product button').first()],
  ['open a product', (page) => page.locator('.product a').first()],
  ['raise the quantity', button(/^Increase/)],
  ['add to cart on its page', button('Add to Cart')],
  ['go to the cart', (page) => page.getByRole('link', { name: /^Cart/ })],
  ['raise the quantity in the cart', button(/^Increase/)],
  ['remove a line', button(/^Remove/)],
  ['go to Orders', nav('Orders')],
  ['go to Home', nav('Home')],
  ['open Add Product', (page) => page.getByRole('main').getByRole('button', { name: 'Add Product' }).first()],
  [
    'type a title',
    (page) => inDialog(page).getByLabel('Title'),
    (page) => page.keyboard.type('A field guide', { delay: 60 }),
  ],
  ['send it with mistakes', (page) => inDialog(page).getByRole('button', { name: /^Create/ })],
]

function search(page: Page) {
  return page.getByPlaceholder('Search products...').last()
}

type DemoShop = { url: string; dataDir: string; stop: () => Promise<void> }

async function startDemoShop(): Promise<DemoShop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'primo-demo-'))
  const port = await findFreePort()
  const shop = await startShop(port, { NODE_ENV: 'development', DATA_DIR: dataDir, RISK_CHECKS: 'on' })
  const stop = async () => {
    await shop.stop()
    rmSync(dataDir, { recursive: true, force: true })
    for (const line of shop.errors()) process.stderr.write(`${line}\n`)
  }
  return { url: `http://localhost:${port}`, dataDir, stop }
}

/** Returns launch options for the test browser. Chromium refuses to run as root with its sandbox. */
async function launchOptions(args: string[] = []): Promise<LaunchOptions> {
  const { path, problem } = await findChromium()
  if (problem) throw new Error(problem)
  const isRoot = process.getuid?.() === 0
  return { executablePath: path, args: ['--disable-gpu', ...(isRoot ? ['--no-sandbox'] : []), ...args] }
}

async function signIn(page: Page, { url, dataDir }: DemoShop) {
  type Account = { role: string; email: string; password: string }
  const accounts = JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')) as Account[]
  const { email, password } = required(
    accounts.find(({ role }) => role === 'shopper'),
    'the account',
  )
  await page.goto(`${url}/api/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

async function firstProduct({ url }: DemoShop) {
  const [product] = (await (await fetch(`${url}/api/products?limit=1`)).json()) as { id: string }[]
  return required(product, 'a product')
}

async function fillCart(page: Page, demo: DemoShop) {
  const data = { productId: (await firstProduct(demo)).id, quantity: 1 }
  await page.request.post(`${demo.url}/api/cart`, { data, headers: { origin: demo.url } })
}

const shop = await startDemoShop()
try {
  const pages: Record<string, Run[]> = { landing: await visit(shop, '/', false) }
  const id = (await firstProduct(shop)).id
  for (const [name, path] of Object.entries({
    home: '/',
    categories: '/categories',
    product: `/product/${id}`,
    cart: '/cart',
    orders: '/orders',
    profile: '/profile',
  }))
    pages[name] = await visit(shop, path)
  const steps = await measureJourney(shop)
  const text = report(pages, steps)
  writeFileSync(OUT, text)
  process.stdout.write(text)
} finally {
  await shop.stop()
}
