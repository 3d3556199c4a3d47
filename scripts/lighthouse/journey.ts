import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { type DemoShop, launchBrowser, signIn } from '../demoShop.ts'

// A shopper's journey on a phone whose processor is four times slower: how long each press takes until something is drawn.

export type Step = { name: string; ms: number }

const SLOWER = 4
/** How long a finger rests, in milliseconds. */
const FINGER_MS = 80
/** What the browser does not report is shorter than this, in milliseconds. */
const LEAST = 16

/** Runs in the page: notes how long each press took, from the finger to the paint. */
const WATCH = `
  window.seen = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) window.seen.push(duration)
  }).observe({ type: 'event', durationThreshold: ${LEAST} })
`

/** The journey `runs` times, each time in a browser that knows nothing; the median of each step. */
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
    steps.push({ name, ms: Math.max(LEAST, longest) })
  }
  await browser.close()
  return steps
}

/** Where a finger would go; asked before, so that the looking is not measured with the press. */
async function middleOf(control: Locator) {
  await control.tap({ trial: true })
  const { x, y, width, height } = (await control.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** A tap as a finger makes it: it rests a moment on the glass. */
async function tap(devtools: CDPSession, x: number, y: number) {
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await sleep(FINGER_MS)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

const nav = (name: string) => (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const inDialog = (page: Page) => page.getByRole('dialog')

/** Each step: its name, what is pressed, what is typed then. */
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
