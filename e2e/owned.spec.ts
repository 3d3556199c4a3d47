import { buy, choose, open, openEntry } from './goods.ts'
import { expect, fillCart, register, routeRead, test } from './shop.ts'
import { EIGHT_TITLES, TEN_THINGS } from './tenThings.ts'

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
  // the menu is reached by keyboard, takes the focus, closes on Escape and returns the focus
  const more = page.getByRole('button', { name: 'More for Salt and Time' })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(more).toHaveAttribute('aria-expanded', 'true')
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
  await openEntry(page, 1)
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/place') && answer.ok())
  // on a phone the book has the whole screen
  await page
    .getByRole('link', { name: isMobile ? 'Library' : 'Orders', exact: true })
    .first()
    .click()
  await kept
  // the list may load while the place is stored
  await page.reload()
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
  const cover = (await row.locator('.thumb').boundingBox())!
  await page.mouse.click(cover.x + cover.width / 2, cover.y + cover.height / 2)
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
  await openEntry(page, 1)
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

test('a cart of eight lines has a row for each', async ({ page }) => {
  await register(page)
  for (const title of EIGHT_TITLES) await fillCart(page, title)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/cart')
  const rows = page.locator('.items > li')
  await expect(rows).toHaveCount(8)
  for (const row of await rows.all()) expect((await row.boundingBox())!.height).toBeLessThanOrEqual(88)
  await page.setViewportSize({ width: 320, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
