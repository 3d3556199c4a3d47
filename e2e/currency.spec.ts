import type { Page } from '@playwright/test'
import { addToCart, expect, register, signUp, test } from './shop.ts'

// The country and the rates come from external services. The tests replace the answers of these services.

const BOOK = 'Salt and Time'
const updatedAt = new Date().toISOString()

async function be(page: Page, country: string, rates: Record<string, number> = { USD: 1, EUR: 0.5, JPY: 150 }) {
  const place = { country_code: country, country_name: country, city: '', ip: '' }
  await page.route('**/api/localisation/location', (route) => route.fulfill({ json: place }))
  await page.route('**/api/localisation/rates', (route) => route.fulfill({ json: { base: 'USD', rates, updatedAt } }))
}

const card = (page: Page) => page.locator('.product').filter({ hasText: BOOK }).first()

test('shows prices in the currency of the country or a chosen one, and in dollars without rates', async ({ page }) => {
  await be(page, 'DE')
  await register(page)
  await page.goto(`/categories?q=${encodeURIComponent(BOOK)}`)
  await expect(card(page).locator('.price')).toHaveText(/^€\d+\.\d\d$/)
  await card(page).getByRole('button', { name: 'Auto-converted' }).click()
  await expect(page.locator('.toast--plain')).toContainText('Auto-converted')
  await expect(page.getByText(/^Currency EUR\. Rate of .+: 0\.5 EUR for 1 US dollar\. You are charged/)).toBeVisible()
  await addToCart(page, BOOK)
  const charged = page.getByText(/^You pay \$\d+\.\d\d in US dollars, about €\d+\.\d\d\.$/)
  await expect(charged).toBeVisible()
  await page.goto('/cart')
  await expect(charged).toBeVisible()
  // The next visit starts with the saved currency, before the services answer.
  await page.route('**/api/localisation/**', () => undefined)
  await page.goto(`/categories?q=${encodeURIComponent(BOOK)}`)
  await expect(card(page).locator('.price')).toHaveText(/^€/)

  await page.unrouteAll()
  await be(page, 'US')
  await page.goto('/settings')
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('JPY')
  await page.goto(`/categories?q=${encodeURIComponent(BOOK)}`)
  await expect(card(page).locator('.price')).toHaveText(/^¥\d+\.\d\d$/)
  await page.goto('/settings')
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('country')
  await page.goto(`/categories?q=${encodeURIComponent(BOOK)}`)
  await expect(card(page).locator('.price')).toHaveText(/^\$/)

  await page.unrouteAll()
  await be(page, 'DE', { USD: 1 })
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect(card(page).locator('.price')).toHaveText(/^\$/)
})

test('a visit from another country raises the risk score', async ({ page }) => {
  const status = page.locator('details', { hasText: 'System Status' })
  await be(page, 'DE')
  await signUp(page)
  await status.locator('summary').click()
  await expect(status.getByText('DE, EUR')).toBeVisible()
  await expect(status.getByText('0%', { exact: true })).toBeVisible()
  await expect(status.getByText(/since this page was loaded$/)).toBeVisible()
  await be(page, 'US')
  await page.reload()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('location'))).toBe('US:')
  await status.locator('summary').click()
  await expect(status.getByText('15%', { exact: true })).toBeVisible()
  await expect(status.locator('.badge')).toHaveCount(0)
  await page.evaluate(() => {
    const severities = ['high', 'high', 'medium']
    const event = { type: 'suspicious_activity', description: '', timestamp: Date.now(), blocked: false, userAgent: '' }
    const events = severities.map((severity, i) => ({
      ...event,
      type: i ? 'bot_detected' : event.type,
      severity,
      id: i,
    }))
    sessionStorage.setItem('security-events', JSON.stringify(events))
  })
  await page.reload()
  await status.locator('summary').click()
  // A score above 50 shows as a warning.
  await expect(status.locator('.badge--failed')).toHaveText('65%')
  await expect(status.getByText('Enable two-factor authentication, Verify payment method')).toBeVisible()
})
