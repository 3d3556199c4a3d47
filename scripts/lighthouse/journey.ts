import type { Page } from '@playwright/test'
import { type DemoShop, launchBrowser, signIn } from '../demoShop.ts'

// A shopper's journey on a phone whose processor is four times slower: how long each press takes until something is drawn.

export type Step = { name: string; ms: number }

const SLOWER = 4
/** What the browser does not report is shorter than this, in milliseconds. */
const LEAST = 16

/** Runs in the page: notes how long each press took, from the finger to the paint. */
const WATCH = `
  window.seen = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) window.seen.push(duration)
  }).observe({ type: 'event', durationThreshold: ${LEAST} })
`

export async function measureJourney(shop: DemoShop): Promise<Step[]> {
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
  for (const [name, act] of journey) {
    await page.waitForTimeout(700)
    await page.evaluate('window.seen.length = 0')
    await act(page)
    await page.waitForTimeout(700)
    const longest = await page.evaluate<number>('Math.max(0, ...window.seen)')
    steps.push({ name, ms: Math.max(LEAST, longest) })
  }
  await browser.close()
  return steps
}

const nav = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

const journey: [string, (page: Page) => Promise<void>][] = [
  ['go to Shop', (page) => nav(page, 'Shop').tap()],
  ['choose a category', (page) => page.getByRole('main').getByText('E-Books', { exact: true }).first().tap()],
  [
    'type a search',
    async (page) => {
      await page.getByPlaceholder('Search products...').last().tap()
      await page.keyboard.type('bread', { delay: 90 })
    },
  ],
  ['clear the search', (page) => page.getByPlaceholder('Search products...').last().fill('')],
  ['add to cart', (page) => page.locator('.product button').first().tap()],
  ['open a product', (page) => page.locator('.product a').first().tap()],
  ['raise the quantity', (page) => page.getByRole('button', { name: /^Increase/ }).tap()],
  ['add to cart on its page', (page) => page.getByRole('button', { name: 'Add to Cart' }).tap()],
  ['go to the cart', (page) => page.getByRole('link', { name: /^Cart/ }).tap()],
  [
    'raise the quantity in the cart',
    (page) =>
      page
        .getByRole('button', { name: /^Increase/ })
        .first()
        .tap(),
  ],
  [
    'remove a line',
    (page) =>
      page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .tap(),
  ],
  ['go to Orders', (page) => nav(page, 'Orders').tap()],
  ['go to Home', (page) => nav(page, 'Home').tap()],
  ['open Add Product', (page) => page.getByRole('main').getByRole('button', { name: 'Add Product' }).first().tap()],
  [
    'type a title',
    async (page) => {
      await page.getByRole('dialog').getByLabel('Title').tap()
      await page.keyboard.type('A field guide', { delay: 60 })
    },
  ],
  [
    'send it with mistakes',
    (page) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Create/ })
        .tap(),
  ],
]
