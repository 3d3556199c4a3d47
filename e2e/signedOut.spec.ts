import { expect, findProduct, forgive, register, test } from './shop.ts'

const PATHS = [
  '/',
  '/categories',
  '/product/x',
  '/cart',
  '/orders',
  '/orders/1',
  '/settings',
  '/profile',
  '/no/such/page',
]

test('a signed-out visitor sees the landing page on every path', async ({ page, faults }) => {
  for (const path of PATHS) {
    const response = await page.goto(path)
    expect(response!.status(), path).toBe(200)
    await expect(page.getByRole('heading', { level: 1, name: 'Fast and Reliable Digital Services' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In to Continue' })).toBeVisible()
  }
  await page.goto('/')
  for (const text of ['Your Number One Digital Hub', 'Wide Product Range', 'AI Chat Support', 'Integrated Payments'])
    await expect(page.getByText(text, { exact: true }).first(), text).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In to Continue' })).toHaveAttribute('href', '/api/login')
  for (const name of ['Terms', 'Privacy', 'Refunds', 'Help']) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.goto('/')
  }
  const packed = await page.request.get('/', { headers: { 'accept-encoding': 'br' } })
  expect(Number(packed.headers()['content-length'])).toBeLessThanOrEqual(10 * 1024)

  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible()
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('hunter2hunter2')
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide characters' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByLabel('Email').fill('robin')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.locator('#email-problem')).toContainText('@')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('robin@test.example')
  await expect(page.locator('#email-problem')).toBeHidden()
  await page.getByRole('button', { name: 'Create account' }).click()
  const refusal = page.getByText(/easy to guess/)
  await expect(refusal).toBeVisible()
  await password.fill('quiet otters carry lanterns')
  await expect(page.getByText('Strength: Strong')).toBeVisible()
  await expect(refusal).toBeHidden()
  forgive(faults, /status of 400/)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

test('a shared product link shows strangers the product, and sign-in returns to it', async ({ page }) => {
  const { email, password } = await register(page)
  const { id } = await findProduct(page, 'Salt and Time')
  await page.context().clearCookies()
  await page.goto(`/product/${id}`)
  await expect(page.getByText('In the shop', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/^Salt and Time/)
  const create = page.getByRole('link', { name: 'Create an account to buy' })
  await expect(create).toHaveAttribute('href', `/api/login?sign-up&returnTo=%2Fproduct%2F${id}`)
  await page.getByRole('region', { name: 'Salt and Time' }).getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Salt and Time' })).toBeVisible()
})

test('sign-in returns to the requested page, and an unknown page answers 404', async ({ page }) => {
  const { email, password } = await register(page)
  await page.context().clearCookies()
  await page.goto('/api/login?returnTo=/cart')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shopping Cart' })).toBeVisible()
  // members cannot open the support inbox
  for (const path of ['/admin/chat', '/no/such/page']) {
    const response = await page.goto(path)
    expect(response!.status(), path).toBe(404)
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  }
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
})

test('pages for visitors follow the mode of the system until this browser stores a choice', async ({ page }) => {
  await register(page)
  const { id } = await findProduct(page, 'Salt and Time')
  await page.context().clearCookies()
  await page.goto('/')
  for (const path of ['/', `/product/${id}`, '/api/login', '/help'])
    for (const [system, stored, seen] of [
      ['dark', 'broken', 'dark'],
      ['dark', '{"mode":"light"}', 'light'],
      ['light', '{"mode":"dark"}', 'dark'],
      ['light', '{}', 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme: system })
      await page.evaluate((kept) => localStorage.setItem('preferences', kept), stored)
      await page.goto(path)
      const mode = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
      expect(mode, `${path}, system ${system}, stored ${stored}`).toBe(seen)
    }
})
