import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, register, routeRead, signUp, test } from './shop.ts'

const h1 = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
const palette = (page: Page) => page.getByRole('dialog', { name: 'Find anything' })
const field = (page: Page) => palette(page).getByRole('combobox')

/** Opens the palette. Retries, because the page may not handle keys yet. */
const openPalette = (page: Page) =>
  expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeVisible({ timeout: 1000 })
  }).toPass()

test('the palette finds products, pages and actions by keyboard and returns the focus', async ({ page }) => {
  await signUp(page)
  const cart = page.getByRole('link', { name: /Cart/ }).first()
  await cart.focus()
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(cart).toBeFocused()

  await page.keyboard.press('Control+k')
  await field(page).fill('salt')
  const hit = palette(page).getByRole('option', { name: /^Salt and Time/ })
  await expect(hit).toBeVisible()
  await expect(hit.locator('mark')).toHaveText('Salt')
  await page.keyboard.press('ArrowDown')
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await h1(page, 'Salt and Time')
  await expect(palette(page)).toBeHidden()

  await page.keyboard.press('/')
  await expect(palette(page).getByRole('option').first()).toHaveText('salt')
  const found = await new AxeBuilder({ page }).include('.palette').analyze()
  expect(found.violations).toEqual([])
  await page.keyboard.press('Delete')
  await expect(palette(page).getByText('Recent searches')).toBeHidden()

  await field(page).fill('settings')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await h1(page, 'Settings')
  await page.keyboard.press('/')
  await field(page).fill('dark mode')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  // if nothing had the focus, the new page receives it
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('/')
  await field(page).fill('trains')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/categories\?q=trains$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a selected option stays selected when products load above it, and Back closes the palette', async ({ page }) => {
  await signUp(page)
  let answer = () => {}
  const isTime = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/products?limit=6&q=shop', async (route) => {
    await isTime
    await route.continue()
  })
  await page.keyboard.press('/')
  await field(page).fill('shop')
  const place = palette(page).getByRole('option', { name: 'Go to Shop' })
  await page.keyboard.press('ArrowUp')
  await expect(place).toHaveAttribute('aria-selected', 'true')
  answer()
  await expect(palette(page).getByRole('group', { name: 'Products' }).getByRole('option')).not.toHaveCount(0)
  await expect(place).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await h1(page, 'All Categories')

  const shelf = page.getByRole('heading', { level: 1, name: 'All Categories' })
  await page.keyboard.press('/')
  await expect(palette(page)).toBeVisible()
  await page.goBack()
  await expect(palette(page)).toBeHidden()
  await expect(shelf).toBeVisible()

  // A reload with an open palette leaves no entry in the history.
  await page.keyboard.press('/')
  await expect(palette(page)).toBeVisible()
  await page.reload()
  await expect(shelf).toBeVisible()
  await expect.poll(() => page.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs)).toBeUndefined()
  await page.goBack()
  await h1(page, 'Your Number One Digital Hub')
})

test('the address holds search, category and sorting, and Back restores them', async ({ page }) => {
  await register(page)
  await page.goto('/categories?q=the')
  await expect(page.locator('.product mark').first()).toBeVisible()
  const count = page.getByText(/\d+ product\(s\) found/)
  await expect(count).toBeVisible()
  await page.getByRole('button', { name: 'Audio' }).click()
  await expect(page).toHaveURL(/\/categories\?q=the&category=audio$/)
  await page.getByLabel('Price').selectOption('0-5')
  await page.getByLabel('Rating').selectOption('3')
  await page.getByLabel('Sort').selectOption('rating')
  await expect(page).toHaveURL(/\/categories\?q=the&category=audio&price=0-5&stars=3&sort=rating$/)
  await page.reload()
  await h1(page, 'Audio')
  await expect(page.getByLabel('Price')).toHaveValue('0-5')
  await expect(page.getByLabel('Rating')).toHaveValue('3')
  await expect(page.getByRole('searchbox', { name: 'Search products' })).toHaveValue('the')
  await page.goBack()
  await expect(page).toHaveURL(/\/categories\?q=the&category=audio&price=0-5$/)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(/\/categories\?q=the$/)
  await h1(page, 'All Categories')

  // In a field a slash is text; elsewhere it opens the palette.
  const search = page.getByRole('searchbox', { name: 'Search products' })
  await search.fill('')
  await search.focus()
  await page.keyboard.type('a/b')
  await expect(search).toHaveValue('a/b')
  await expect(palette(page)).toHaveCount(0)
})

test('a search without a match suggests products, categories and the assistant', async ({ page }) => {
  await register(page)
  const article = page.getByRole('article')
  for (const typo of ['bred', 'guft card', 'slat and tiem']) {
    await page.goto(`/categories?q=${encodeURIComponent(typo)}`)
    await expect(page.getByText('0 product(s) found')).toBeVisible()
    await expect(page.getByRole('heading', { name: /^Did you mean/ })).toBeVisible()
    await expect(article.first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No products found' })).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'salt and time', exact: true }).click()
  await expect(page).toHaveURL(/q=salt\+and\+time/)
  await expect(page.getByRole('link', { name: 'Salt and Time', exact: true })).toBeVisible()
  await expect(page.getByLabel('Sort')).toHaveText(/^Best match/)

  // a typed price becomes a filter, and a press removes the filter
  await page.goto('/categories?q=ebook+under+%243.50')
  await expect(article.first()).toBeVisible()
  await expect(article.filter({ hasText: '$3.50' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove the price Up to $3.49' }).click()
  await expect(page).toHaveURL(/q=ebook$/)
  await expect(article.filter({ hasText: '$3.50' })).not.toHaveCount(0)

  // the search has matches at other prices
  await page.goto('/categories?q=bread&price=100-')
  await expect(page.getByText('No match for “bread” at this price.')).toBeVisible()
  await expect(page.getByText('Did you mean')).toHaveCount(0)
  await page.getByRole('button', { name: 'Without filters' }).click()
  await expect(article.first()).toBeVisible()

  await page.goto(`/categories?q=${'z'.repeat(200)}`)
  await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
  await expect(page.getByText('z'.repeat(41))).toHaveCount(0)
  const isWordShown = (badge: Element) => {
    const word = document.createRange()
    word.setStart(badge.lastChild!, 0)
    word.setEnd(badge.lastChild!, 1)
    return word.getBoundingClientRect().bottom <= badge.getBoundingClientRect().bottom
  }
  expect(await page.locator('.badge .clamp-1').evaluate(isWordShown)).toBe(true)
  await expect(page.getByText('Did you mean')).toHaveCount(0)
  await page.getByRole('button', { name: 'Ask the assistant' }).click()
  const chat = page.getByRole('dialog', { name: 'AI Assistant' })
  await chat.getByRole('button', { name: 'Close' }).click()
  await expect(chat).toBeHidden()
  // the palette shows the same suggestions, in a group separate from matches
  await page.keyboard.press('/')
  await field(page).fill('slat')
  // the suggestions come before the search, because it finds nothing
  await expect(palette(page).getByRole('group', { name: 'Did you mean' })).toBeVisible()
  await expect(palette(page).getByRole('option').first()).toHaveText(/Salt/)
  await expect(palette(page).getByRole('group', { name: 'Products' })).toHaveCount(0)
})

test('the palette shows letters that were typed while it loaded', async ({ page }) => {
  await register(page)
  let load = () => {}
  const isTime = new Promise<void>((resolve) => (load = resolve))
  await page.route(/\/Palette-[\w-]+\.js/, async (route) => {
    await isTime
    await route.continue()
  })
  await page.goto('/')
  await h1(page, 'Your Number One Digital Hub')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('salk')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('t a')
  load()
  await expect(field(page)).toHaveValue('salt a')
  await page.keyboard.type('nd')
  await expect(field(page)).toHaveValue('salt and')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(field(page)).toHaveValue('')
})

test('a slash directly after the palette closes opens it again', async ({ page }) => {
  await register(page)
  await page.goto('/')
  await openPalette(page)
  await field(page).fill('salt')
  // both presses happen before the browser reports that the dialog has closed
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('.palette [aria-label="Close"]')!.click()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
  })
  await expect(field(page)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
})

test('orders load fifty at a time, and an older one opens by its number', async ({ page }) => {
  await register(page)
  const orders = Array.from({ length: 120 }, (_, i) => orderNumber(i))
  await routeRead(page, /\/api\/orders(\?|\/0198)/, (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const id = pathname.split('/')[3]
    const one = orders.find((order) => order.id === id)
    if (pathname.endsWith('/sellers')) return route.fulfill({ json: [] })
    if (id) return one ? route.fulfill({ json: one }) : route.fulfill({ status: 404, json: { message: 'Not found' } })
    const start = searchParams.has('after') ? orders.findIndex((o) => o.id === searchParams.get('after')) + 1 : 0
    const last = orders[start + 49]
    const link = last && start + 50 < orders.length ? `</api/orders?limit=50&after=${last.id}>; rel="next"` : ''
    return route.fulfill({
      json: orders.slice(start, start + 50),
      headers: { 'x-total-count': '120', ...(link && { link }) },
    })
  })
  await page.goto('/orders')
  await expect(page.getByText('120 order(s)', { exact: true })).toBeVisible()
  const cards = page.locator('.orders > li')
  await expect(cards).toHaveCount(50)
  await page.getByRole('button', { name: 'Load more' }).focus()
  await page.keyboard.press('Enter')
  await expect(cards).toHaveCount(100)
  await expect(cards.nth(50).getByRole('link', { name: /View Details/ })).toBeFocused()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(cards).toHaveCount(120)
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden()

  await page.goto(`/orders/${orders[110]!.id}`)
  await expect(page.getByRole('heading', { name: `Order #${orders[110]!.id.slice(-8)}` })).toBeInViewport()
  await expect(page.getByRole('region', { name: 'Other orders' }).getByRole('listitem')).toHaveCount(2)
  await page.goto('/orders/0198b2de-0000-7000-8000-ffffffffffff')
  await expect(page.getByRole('alert')).toHaveText('We couldn’t find that order in your account.')
  await expect(cards).toHaveCount(50)
})

const orderNumber = (i: number) => ({
  id: `0198b2de-0000-7000-8000-${String(i).padStart(12, '0')}`,
  status: 'completed',
  total: '8.50',
  credit: '0.00',
  earned: '0.00',
  discounts: [],
  paymentMethod: 'paypal',
  paymentId: 'A1B2C3D4E5',
  createdAt: new Date(Date.UTC(2026, 9, 1) - i * 3_600_000).toISOString(),
  expiresAt: null,
  source: 'cart',
  refunds: [],
  lines: [
    {
      ...{
        id: `0198b2de-0000-7000-8001-${String(i).padStart(12, '0')}`,
        productId: crypto.randomUUID(),
        title: `Thing ${i}`,
      },
      ...{
        quantity: 1,
        price: '8.50',
        categoryId: 'audio',
        imageUrl: null,
        delivery: null,
        isReviewed: false,
        refundRequest: null,
      },
    },
  ],
  events: [{ status: 'completed', code: 'paid', at: new Date(Date.UTC(2026, 9, 1)).toISOString() }],
})
