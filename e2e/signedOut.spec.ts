import { expect, signUpByHand, test } from './shop.ts'

test.describe('signed out', () => {
  for (const path of [
    '/',
    '/categories',
    '/product/x',
    '/cart',
    '/orders',
    '/orders/1',
    '/settings',
    '/profile',
    '/no/such/page',
  ]) {
    test(`${path} is the landing page`, async ({ page }) => {
      const response = await page.goto(path)
      expect(response!.status()).toBe(200)
      await expect(page.getByRole('heading', { level: 1, name: 'Fast and Reliable Digital Services' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Sign In to Continue' })).toBeVisible()
    })
  }
})

test('after signing in the customer arrives where they wanted to go', async ({ page }) => {
  const { email, password } = await signUpByHand(page)
  await page.context().clearCookies()
  await page.goto('/api/login?returnTo=/cart')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shopping Cart' })).toBeVisible()
})

test('an unknown page says so', async ({ page }) => {
  await signUpByHand(page)
  const response = await page.goto('/no/such/page')
  expect(response!.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
})

test('the way in is light whatever the system says, and dark in a browser that keeps the dark look', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const look = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  for (const path of ['/api/login', '/api/login/sign-up']) {
    await page.goto(path)
    expect(await look()).toBe('light')
    await page.evaluate(() => localStorage.setItem('preferences', JSON.stringify({ mode: 'dark' })))
    await page.reload()
    expect(await look()).toBe('dark')
    await page.evaluate(() => localStorage.setItem('preferences', 'broken'))
    await page.reload()
    expect(await look()).toBe('light')
  }
})
