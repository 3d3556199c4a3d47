import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, expect, register, signIn, signUp, test } from './shop.ts'

type Demo = Account & { role: string }

const BOOK = 'Salt and Time'
const path = '**/api/real-time/products'

test('a price that changes while a page is open changes on the page', async ({ page }) => {
  await page.clock.install()
  await register(page)
  await page.goto(`/categories?q=${encodeURIComponent(BOOK)}`)
  const card = page.locator('.product').filter({ hasText: BOOK }).first()
  await expect(card.locator('.price')).toHaveText(/^\$\d/)
  const id = (await card.getByRole('link').first().getAttribute('href'))!.split('/').pop()!
  const told = { version: 'next', changed: [{ id, title: BOOK, price: '77.77' }], removed: [] }
  await page.route(path, (route) => route.fulfill({ json: told }))
  await page.clock.fastForward(10_500)
  await expect(card.locator('.price')).toHaveText('$77.77')
  await page.unroute(path)
})

test('System Status tells of the connection: lost, tried again, back', async ({ page, context }) => {
  await page.clock.install()
  await signUp(page)
  const status = page.locator('details', { hasText: 'System Status' })
  await status.locator('summary').click()
  await expect(status.getByText('Connected', { exact: true })).toBeVisible()
  await page.route(path, (route) => route.fulfill({ status: 404, body: '' }))
  await page.clock.fastForward(10_500)
  await expect(status.getByText('Connection failed, retrying... (1/3)')).toBeVisible()
  await page.clock.fastForward(1_100)
  await expect(status.getByText('Connection failed, retrying... (2/3)')).toBeVisible()
  await page.clock.fastForward(2_100)
  await expect(status.getByText('Connection failed, retrying... (3/3)')).toBeVisible()
  await page.clock.fastForward(4_100)
  await expect(status.getByText('HTTP 404: Not Found')).toBeVisible()
  await page.unroute(path)
  await page.clock.fastForward(10_500)
  await expect(status.getByText('Connected', { exact: true })).toBeVisible()
  await context.setOffline(true)
  await expect(status.getByText('No internet connection')).toBeVisible()
  await context.setOffline(false)
  await expect(status.getByText('Connected', { exact: true })).toBeVisible()
})

test('an order that is placed elsewhere comes to the open page by itself', async ({ page }) => {
  await register(page)
  const isHeard = page.waitForResponse('**/api/events')
  await page.goto('/orders')
  await expect(page.getByText('No orders yet')).toBeVisible()
  await isHeard
  const { request } = page.context()
  const headers = { origin: new URL(page.url()).origin }
  const [product] = (await (await request.get('/api/products?limit=1')).json()) as { id: string; price: string }[]
  const { id: productId, price } = product!
  const placed = await request.post('/api/orders', {
    headers,
    data: {
      items: [{ productId, quantity: 1, price }],
      total: price,
      paymentMethod: 'paypal',
      paymentId: crypto.randomUUID(),
      source: 'product',
    },
  })
  expect(placed.status()).toBe(201)
  await expect(page.getByText('Finish payment')).toBeVisible()
})

test('what does not work shows on both cards with what to do, and clears', async ({ page }) => {
  const accounts = JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR!, 'demo-accounts.json'), 'utf8')) as Demo[]
  let grade: 'ok' | 'fail' = 'ok'
  await page.route('**/api/status', (route) =>
    route.fulfill({
      json: [
        { name: 'database', grade: 'ok' },
        { name: 'mail', grade },
      ],
    }),
  )
  const mail = { name: 'mail', grade: 'fail', says: 'mail.example does not answer', mend: 'correct SMTP_URL' }
  await page.route('**/api/admin/status', (route) => route.fulfill({ json: [mail] }))
  await page.clock.install()
  await signIn(
    page,
    accounts.find(({ role }) => role === 'admin')!,
  )
  const card = page.getByRole('region', { name: 'Deployment readiness' })
  const status = page.locator('details', { hasText: 'System Status' })
  await status.locator('summary').click()
  await expect(card.getByRole('status')).toHaveText('2 of 2 ready')
  await expect(status.getByText('Healthy', { exact: true })).toBeVisible()
  grade = 'fail'
  // the cards ask every 5 s, and then for what to do
  await page.clock.runFor(6_000)
  await expect(card.getByText('Mail: mail.example does not answer. Correct SMTP_URL.')).toBeVisible()
  await expect(card.getByRole('status')).toHaveText('1 of 2 ready')
  await expect(status.getByText('Degraded', { exact: true })).toBeVisible()
  grade = 'ok'
  await page.clock.runFor(6_000)
  await expect(card.getByRole('status')).toHaveText('2 of 2 ready')
  await expect(status.getByText('Healthy', { exact: true })).toBeVisible()
})
