import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { type DemoShop, launchBrowser, signIn } from '../demoShop.ts'

// Measures a shopper's journey on a phone with a four times slower CPU, from each press to the next paint.

export type Step = { name: string; ms: number }

const SLOWER = 4
const FINGER_MS = 80
/** The browser does not report shorter events. */
const MIN_MS = 16

/** Runs in the page and records the time of each press until the paint. */
const WATCH = `
  window.seen = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) window.seen.push(duration)
  }).observe({ type: 'event', durationThreshold: ${MIN_MS} })
`

/** Runs the journey `runs` times in fresh browsers and returns the median of each step. */
export async function measureJourney(shop: DemoShop, runs: number): Promise<Step[]> {
  const seen: Step[][] = []
  for (let i = 0; i < runs; i++) seen.push(await goOnce(shop))
  return seen[0]!.map(({ name }, step) => {
    const times = seen.map((steps) => steps[step]!.ms).toSorted((a, b) => a - b)
    return { name, ms: times[Math.floor(runs / 2)]! }
  })
}

async function goOnce(shop: DemoShop): Promise<Step[]> {
  const browser = await launchBrowser()
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    baseURL: shop.url,
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  await signIn(page, shop)
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

/** Finds the place to tap before the measurement starts. */
async function middleOf(control: Locator) {
  await control.tap({ trial: true })
  const { x, y, width, height } = (await control.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Taps like a finger, which rests a moment on the glass. */
async function tap(devtools: CDPSession, x: number, y: number) {
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await sleep(FINGER_MS)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

const nav = (name: string) => (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const inDialog = (page: Page) => page.getByRole('dialog')

/** Each step: name, tapped control, typing. */
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
