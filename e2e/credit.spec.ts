import type { Page } from '@playwright/test'
import { openReceipt } from './goods.ts'
import { expect, register, test } from './shop.ts'

type Product = { id: string; title: string; price: string; categoryId: string }

/** Buys ten copies by API requests, with money. Returns the bonus in cents. */
async function buyFirst(page: Page, product: Product): Promise<number> {
  const { request } = page.context()
  const headers = { origin: new URL(page.url()).origin }
  const cents = Math.round(Number(product.price) * 1000)
  const items = [{ productId: product.id, quantity: 10 }]
  const data = { amount: (cents / 100).toFixed(2), currency: 'USD', intent: 'capture', items }
  const { id } = (await (await request.post('/order', { data, headers })).json()) as { id: string }
  await request.post(`/sandbox/paypal/test/orders/${id}/approve`, { headers })
  await request.post(`/order/${id}/capture`, { data: {}, headers })
  return Math.min(1500, Math.floor((cents * 15) / 100))
}

test('the first purchase earns the bonus, the next spends it, and the history lists both', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByText('15% bonus on the first purchase, up to $15.00.')).toBeVisible()
  await page.getByText('Conditions').click()
  await expect(page.getByText('Get 15% of its price back as store credit, up to $15.00')).toBeVisible()
  await register(page)
  await page.goto('/profile')
  await expect(page.getByText('15% bonus on the first purchase')).toBeVisible()
  const { request } = page.context()
  const all = (await (await request.get('/api/products?limit=100')).json()) as Product[]
  const products = all
    .filter(({ categoryId, price }) => !['gift-cards', 'crypto', 'prepaid'].includes(categoryId) && Number(price) > 0)
    .toSorted((a, b) => Number(a.price) - Number(b.price))
  const [dear, cheap] = [products.at(-1)!, products[0]!]
  const earned = await buyFirst(page, cheap)
  expect(earned).toBeGreaterThanOrEqual(Number(cheap.price) * 100)
  expect(earned).toBeLessThan(Number(dear.price) * 100)
  const headers = { origin: new URL(page.url()).origin }
  const put = (one: Product) => request.post('/api/cart', { data: { productId: one.id, quantity: 1 }, headers })
  await put(dear)
  await page.goto('/cart')
  const summary = page.getByRole('complementary', { name: 'Order Summary' })
  await expect(summary.getByText('To pay', { exact: true })).toBeVisible()
  await expect(summary.getByRole('button', { name: 'Pay with PayPal' })).toBeVisible()
  await expect(summary.getByText('15% bonus')).toBeHidden()
  await summary.getByRole('switch', { name: 'Use store credit' }).click()
  await expect(summary.getByText('To pay', { exact: true })).toBeHidden()
  await request.delete('/api/cart', { headers })
  await put(cheap)
  await page.goto('/cart')
  await summary.getByRole('button', { name: 'Pay with store credit' }).click()
  await expect(page.getByText('Your order has been placed successfully.').first()).toBeVisible()
  await expect(page.getByRole('group', { name: 'Your goods' })).toBeVisible()
  await openReceipt(page)
  await expect(page.getByRole('term').filter({ hasText: 'Store credit' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Credit history' }).click()
  const history = page.getByRole('dialog', { name: 'Store Credit' })
  await expect(history.getByRole('listitem')).toHaveText([/Spent/, /Earned with your first purchase/])
  await history.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeFocused()
})
