import type { Page } from '@playwright/test'
import { buy, choose, open } from './goods.ts'
import { expect, fillCart, register, routeRead, test } from './shop.ts'

const FILE = { kind: 'file', contentType: 'application/epub+zip', sizeBytes: 1_258_291, sha256: 'ab'.repeat(32) }
const TEN: [title: string, delivery: object, bundle?: string][] = [
  ['Recording at Home', { kind: 'course', lessons: 9, done: 2 }, 'Home Studio Starter'],
  ['Room Checklist', { ...FILE, fileName: 'room.pdf', moreFiles: 0 }, 'Home Studio Starter'],
  ['Test Tones', { ...FILE, fileName: 'tones.flac', moreFiles: 0 }, 'Home Studio Starter'],
  ['Level Meter', { kind: 'license', devices: 2, file: null }, 'Home Studio Starter'],
  ['The Quiet Inbox', { ...FILE, fileName: 'inbox.epub', moreFiles: 0 }],
  ['Corner Café Gift Card $25', { kind: 'code', count: 1 }],
  ['Night Trains', { ...FILE, fileName: 'trains.mp3', moreFiles: 3 }],
  ['Lo-Fi Loops, Volume 2', { ...FILE, fileName: 'loops.zip', moreFiles: 0 }],
  ['Typing Without Pain', { kind: 'course', lessons: 12, done: 0 }],
  ['Grid Notes', { kind: 'license', devices: 3, file: null }],
]
const uuid = (n: number) => `0198b2de-0000-7000-8000-${String(n).padStart(12, '0')}`
const AT = '2026-11-18T14:01:00Z'
const TEN_THINGS = {
  ...{ id: uuid(1), status: 'completed', source: 'cart', total: '163.50', credit: '0.00', earned: '0.00' },
  ...{ discounts: [], refunds: [], dispute: null, expiresAt: null, createdAt: AT, paymentMethod: 'paypal' },
  paymentId: '9K2M41XD',
  events: [
    { status: 'pending', code: 'placed', at: AT },
    { status: 'completed', code: 'paid', at: AT },
  ],
  lines: TEN.map(([title, delivery, bundle], i) => ({
    ...{ id: uuid(10 + i), productId: uuid(30 + i), title, quantity: 1, price: '16.35', isFree: false, given: 0 },
    ...{ categoryId: 'ebooks', imageUrl: null, isToGive: false, refunded: 0, isReviewed: false, refundRequest: null },
    bundle: bundle ? { id: uuid(50), title: bundle } : null,
    delivery,
  })),
}

const wordsOf = (page: Page) =>
  page.locator('#main').evaluate((main) => (main as HTMLElement).innerText.split(/\s+/).length)

test('after the payment Read is on the first screen, and the receipt is folded below', async ({ page, isMobile }) => {
  await register(page)
  await buy(page, 'Salt and Time')
  const read = page.getByRole('link', { name: 'Read Salt and Time' })
  await expect(read).toBeInViewport({ ratio: 1 })
  if (isMobile) {
    const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
    const box = await read.boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(bar!.y)
  }
  await expect(page.getByRole('heading', { level: 2, name: 'Salt and Time' })).toBeVisible()
  const receipt = page.getByRole('region', { name: 'Receipt' })
  await expect(receipt.getByText('Total')).toBeHidden()
  await receipt.getByRole('button', { name: 'Receipt' }).click()
  await expect(receipt.getByText('Total')).toBeVisible()
  // the menu is reached by keyboard, closes on Escape and returns the focus
  const more = page.getByRole('button', { name: 'More for Salt and Time' })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(more).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /^Download EPUB/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await choose(page, 'Give a copy')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await read.click()
  await expect(page).toHaveURL(/\/read\//)
})

test('an order of ten things fits two screens of a phone, with one action each and a bundle as one group', async ({
  page,
}) => {
  await register(page)
  await routeRead(page, /\/api\/orders\?/, (route) => route.fulfill({ json: [TEN_THINGS] }))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/orders/${TEN_THINGS.id}`)
  const goods = page.getByRole('group', { name: 'Your goods' })
  await expect(goods.getByRole('heading', { name: '10 goods' })).toBeVisible()
  await expect(goods.getByRole('heading', { level: 3 })).toHaveText(['Home Studio Starter 4 things', '6 more'])
  const acts = ['Open course', 'Read', 'Listen', 'Show key', 'Read', 'Show code', 'Listen', 'Download', 'Open course']
  await expect(goods.locator('.goods__do > .btn')).toHaveText([...acts, 'Show key'])
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2 * 844)
  expect(await wordsOf(page)).toBeLessThanOrEqual(180)
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBeLessThanOrEqual(width)
  }
})

test('the library is the first tab of Orders, shows progress, and a press anywhere on a row resumes', async ({
  page,
  isMobile,
}) => {
  await register(page)
  await buy(page, 'A Year of Small Walks', 'Salt and Time')
  await open(page, 'A Year of Small Walks')
  await page.getByRole('button', { name: 'Next chapter' }).click()
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/place') && answer.ok())
  // on a phone the book has the whole screen
  await page
    .getByRole('link', { name: isMobile ? 'Library' : 'Orders', exact: true })
    .first()
    .click()
  await kept
  const tabs = page.getByRole('navigation', { name: 'Library and orders' })
  await expect(tabs.getByRole('link')).toHaveText(['Library', 'Orders'])
  await tabs.getByRole('link', { name: 'Library' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
  await expect(tabs.getByRole('link', { name: 'Library' })).toHaveAttribute('aria-current', 'page')
  if (!isMobile)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' })).toBeVisible()
  const row = page.locator('.lib > li').filter({ hasText: 'A Year of Small Walks' })
  await expect(row).toContainText(/\d+ % read/)
  await expect(row).toContainText('Resume')
  if (isMobile)
    for (const each of await page.locator('.lib > li').all())
      expect((await each.boundingBox())!.height).toBeLessThanOrEqual(96)
  await row.locator('.thumb').click()
  await expect(page).toHaveURL(/\/read\//)
  await expect(page.getByText('2 of 7')).toBeVisible()
})

test('Home of an owner resumes in one tap, and shows the first product on the first screen of a phone', async ({
  page,
  isMobile,
}) => {
  await register(page, 'Ada')
  await page.goto('/')
  await expect(page.getByRole('link', { name: /^(Go on|Start)/ })).toHaveCount(0)
  await buy(page, 'A Year of Small Walks')
  await page.goto('/')
  const welcome = page.getByRole('region', { name: 'Welcome' })
  await expect(welcome.getByRole('link', { name: 'Start reading: A Year of Small Walks' })).toBeVisible()
  await open(page, 'A Year of Small Walks')
  await page.getByRole('button', { name: 'Next chapter' }).click()
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/place') && answer.ok())
  if (isMobile) await page.getByRole('link', { name: 'Library' }).first().click()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await kept
  await page.reload()
  const resume = welcome.getByRole('link', { name: 'Go on reading: A Year of Small Walks' })
  await expect(resume).toBeVisible()
  await expect(welcome).toContainText(/\d+ % read/)
  await expect(welcome.getByRole('heading', { level: 1 })).toHaveText('Your Number One Digital Hub')
  await expect(welcome.getByRole('button', { name: 'Add Product' })).toBeVisible()
  await expect(welcome.getByText(/^Good (morning|afternoon|evening), Ada$/)).toBeVisible()
  if (isMobile) {
    const bar = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())!
    const cover = (await page.locator('.product .frame').first().boundingBox())!
    expect(cover.y + cover.height).toBeLessThanOrEqual(bar.y)
  }
  const readiness = page.locator('summary').filter({ hasText: 'Deployment readiness' })
  expect((await readiness.boundingBox())!.height).toBeLessThanOrEqual(48)
  await readiness.click()
  await expect(page.getByRole('region', { name: 'Deployment readiness' })).toBeVisible()
  await resume.click()
  await expect(page).toHaveURL(/\/read\//)
  await expect(page.getByText('2 of 7')).toBeVisible()
})

test('the shop shows active filters as chips, of how many they are, and short cards', async ({ page }) => {
  await register(page)
  await page.goto('/categories')
  const cards = page.getByRole('article')
  await expect(cards.nth(20)).toBeVisible()
  await page.getByRole('button', { name: /^Show \d+ more/ }).click()
  await expect(cards.nth(40)).toBeVisible()
  for (const card of await cards.all())
    expect((await card.innerText()).split(/\s+/).length, await card.innerText()).toBeLessThanOrEqual(18)
  expect(await wordsOf(page)).toBeLessThanOrEqual(900)
  const active = page.getByRole('group', { name: 'Active filters' })
  await expect(active).toHaveCount(0)
  await page.getByLabel('Price').selectOption('0-5')
  await page.getByLabel('Rating').selectOption('4')
  await expect(active.getByRole('button')).toHaveText(['Up to $4.99', '4 stars and up', 'Clear'])
  await expect(page.getByText(/^\d+ product\(s\) found of \d+$/)).toBeVisible()
  await active.getByRole('button', { name: 'Remove the filter Up to $4.99' }).click()
  await expect(page).toHaveURL(/\/categories\?stars=4$/)
  await active.getByRole('button', { name: 'Clear' }).click()
  await expect(page).toHaveURL(/\/categories$/)
  await expect(active).toHaveCount(0)
})

test('a cart of eight lines has a row for each and at most 250 words', async ({ page }) => {
  await register(page)
  const titles = ['Salt and Time', 'Morning Bells', 'Glass Rain', 'The Evening Sky', 'Bread by Weight']
  for (const title of [...titles, 'Larkspur Coffee Bar', 'Night Train', 'Small Rooms, Well Lit'])
    await fillCart(page, title)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/cart')
  const rows = page.locator('.items > li')
  await expect(rows).toHaveCount(8)
  for (const row of await rows.all()) expect((await row.boundingBox())!.height).toBeLessThanOrEqual(88)
  expect(await wordsOf(page)).toBeLessThanOrEqual(250)
  await page.setViewportSize({ width: 320, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
