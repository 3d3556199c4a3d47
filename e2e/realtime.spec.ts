import { demoAccount, enter, expect, findProduct, register, signUp, test } from './shop.ts'

const BOOK = 'Salt and Time'
const path = '**/api/real-time/products'

test('an open page shows a changed price', async ({ page }) => {
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

test('System Status shows the connection as lost, retrying and back', async ({ page, context }) => {
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

test('an open page shows an order that is placed elsewhere', async ({ page }) => {
  await register(page)
  const isHeard = page.waitForResponse('**/api/events')
  await page.goto('/orders')
  await expect(page.getByText('No orders yet')).toBeVisible()
  await isHeard
  const { request } = page.context()
  const headers = { origin: new URL(page.url()).origin }
  const { id: productId, price } = await findProduct(page, BOOK)
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

test('a failing probe shows on both cards with its remedy until it recovers', async ({ page }) => {
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
  await enter(page, demoAccount('admin'))
  await page.goto('/')
  const card = page.getByRole('region', { name: 'Deployment readiness' })
  const status = page.locator('details', { hasText: 'System Status' })
  await status.locator('summary').click()
  await expect(card.getByRole('status')).toHaveText('2 of 2 ready')
  await expect(status.getByText('Healthy', { exact: true })).toBeVisible()
  grade = 'fail'
  // The cards poll every 5 s, then load the remedy.
  await page.clock.runFor(6_000)
  await expect(card.getByText('Mail: mail.example does not answer. Correct SMTP_URL.')).toBeVisible()
  await expect(card.getByRole('status')).toHaveText('1 of 2 ready')
  await expect(status.getByText('Degraded', { exact: true })).toBeVisible()
  grade = 'ok'
  await page.clock.runFor(6_000)
  await expect(card.getByRole('status')).toHaveText('2 of 2 ready')
  await expect(status.getByText('Healthy', { exact: true })).toBeVisible()
})
