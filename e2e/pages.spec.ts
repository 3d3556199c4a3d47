import type { Page } from '@playwright/test'
import { ONCE, addToCart, expect, register, signUp, test } from './shop.ts'

// What the specification says stands on each page, in its own words.

const says = async (page: Page, ...texts: string[]) => {
  for (const text of texts) await expect(page.getByText(text, { exact: true }).first(), text).toBeVisible()
}
const leadsTo = (page: Page, name: string | RegExp, href: string | RegExp) =>
  expect(page.getByRole('link', { name }).first()).toHaveAttribute('href', href)

test('the landing page has its headline, its features and two ways in', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Fast and Reliable Digital Services' })).toBeVisible()
  await says(page, 'Your Number One Digital Hub', 'Wide Product Range', 'AI Chat Support', 'Integrated Payments')
  await leadsTo(page, 'Get Started', '/api/login')
  await leadsTo(page, 'Sign In to Continue', '/api/login')
})

test('home greets by name and leads everywhere', async ({ page, isMobile }) => {
  await signUp(page, 'Wilhelmina')
  await expect(page.getByText(/Wilhelmina/).first()).toBeVisible()
  await says(page, 'Quick Actions', 'Categories', 'Featured Products', 'System Status', 'Deployment readiness')
  await leadsTo(page, 'Analytics', '/orders')
  await leadsTo(page, 'View All', '/categories')
  await leadsTo(page, 'See All', '/categories')
  await leadsTo(page, 'Gift Cards', /^\/categories\?category=/)
  await expect(page.locator('.cats a')).toHaveCount(7)
  await expect(page.locator('.product')).toHaveCount(3)
  await expect(page.getByText('Recent Orders')).toHaveCount(0)
  await page.getByText('System Status').click()
  await says(page, 'Location', 'Screen type', 'Health')
  await expect(page.getByText(isMobile ? /^mobile$/i : /^desktop$/i)).toBeVisible()
  await page.route('**/api/products?limit=3', (route) => route.fulfill({ json: [] }))
  await page.reload()
  await page.getByRole('button', { name: 'Add Your First Product' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Product' })).toBeVisible()
})

test('the badge counts the cart, and the newest order stands at home', { tag: ONCE }, async ({ page }) => {
  await register(page)
  await addToCart(page, 'Salt and Time')
  await expect(page.getByRole('link', { name: /^Cart.*1/ })).toBeVisible()
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
  const id = new URL(page.url()).pathname.split('/')[2]!
  await page.goto('/')
  const recent = page.getByRole('region', { name: 'Recent Orders' })
  await expect(recent.getByRole('heading', { name: `Order #${id.slice(-8)}` })).toBeVisible()
  await expect(recent.getByText('pending')).toBeVisible()
  await expect(recent.getByText('$4.50')).toBeVisible()
  await expect(recent.getByRole('link', { name: 'See All' })).toHaveAttribute('href', '/orders')
})

test('the shelf is narrowed by category and search, and says how much it holds', async ({ page }) => {
  await register(page)
  await page.goto('/')
  await page.locator('.cats').getByRole('link', { name: 'E-Books' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'E-Books' })).toBeVisible()
  const chips = page.getByRole('main')
  await expect(chips.getByText('E-Books', { exact: true }).first()).toBeVisible()
  const search = page.getByPlaceholder('Search products...').last()
  // one field to search with; the palette has its keys here
  await expect(page.locator('.topbar__search')).toHaveCount(0)
  await search.fill('SALT')
  await expect(page.getByText('Search: SALT')).toBeVisible()
  await expect(page.getByText('1 product(s) found')).toBeVisible()
  const card = page.getByRole('article').first()
  await expect(card.getByText('Auto-converted')).toBeVisible()
  await expect(card.getByText('$4.50')).toBeVisible()
  await expect(card.getByRole('link')).toHaveAttribute('href', /^\/product\//)
  await search.fill('zzzzqqqq')
  await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'All Categories' })).toBeVisible()
})

test('a product that is not for sale cannot be added', { tag: ONCE }, async ({ page }) => {
  await signUp(page)
  // the server's news would say otherwise
  const told = { version: '0', changed: [], removed: [] }
  await page.route('**/api/real-time/products', (route) => route.fulfill({ json: told }))
  await page.route('**/api/products?limit=3', async (route) => {
    const response = await route.fetch()
    const products = (await response.json()) as { isActive: boolean }[]
    products[0]!.isActive = false
    await route.fulfill({ response, json: products })
  })
  await page.reload()
  const [off, on] = [0, 1].map((i) => page.getByRole('article').nth(i).getByRole('button'))
  await expect(off!).toBeDisabled()
  await expect(on!).toBeEnabled()
})

test('the page of a product says what is bought and how', { tag: ONCE }, async ({ page }) => {
  await register(page)
  await page.goto('/categories?q=Salt+and+Time')
  await page.getByRole('article').getByRole('link').first().click()
  await says(
    page,
    'Digital Download',
    "What's included",
    'Instant digital download',
    'Lifetime access',
    'Secure payment',
    'Secure Purchase',
    '$4.50',
  )
  await expect(page.getByText(/4\.8/).first()).toBeVisible()
  await leadsTo(page, 'All Categories', '/categories')
  for (const name of ['Add to Cart', 'Buy Now', /^Save/, 'Share'])
    await expect(page.getByRole('button', { name }).first()).toBeEnabled()
  await expect(page.getByRole('button', { name: /^Decrease/ })).toBeDisabled()
})

test('the cart adds up, charges no tax and ships for nothing', { tag: ONCE }, async ({ page }) => {
  await register(page)
  await page.goto('/cart')
  await says(page, 'Your cart is empty', 'Add some products to your cart to get started')
  await leadsTo(page, 'Browse Products', '/categories')
  await addToCart(page, 'Salt and Time')
  await page.goto('/cart')
  await says(page, 'Shopping Cart', '1 item(s) in your cart', 'Order Summary', 'Subtotal', 'Tax', '$0.00')
  await says(page, 'Shipping', 'Free (Digital)', 'Total', 'Quick Buy', 'Pay with PayPal')
  await says(page, 'Secure checkout • Your digital products will be available immediately after purchase')
  await expect(page.getByRole('button', { name: /^Decrease/ })).toBeDisabled()
  await page.getByRole('button', { name: /^Increase/ }).click()
  await expect(page.getByText('$9.00').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Decrease/ })).toBeEnabled()
  const kept = async () => ((await (await page.request.get('/api/cart')).json()) as { quantity: number }[])[0]!.quantity
  await expect.poll(kept).toBe(2)
  // the lines do not wait for orders that do not come
  await page.route(/\/api\/orders\?/, () => undefined)
  await page.reload()
  await says(page, '1 item(s) in your cart', '$9.00')
})

test('an order shows its number, status, payment and what can be done', { tag: ONCE }, async ({ page }) => {
  await register(page)
  await page.goto('/orders')
  await says(page, 'My Orders', '0 order(s)', 'No orders yet', 'Start shopping to see your orders here')
  await leadsTo(page, 'Browse Products', '/categories')
  await addToCart(page, 'Salt and Time')
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
  const id = new URL(page.url()).pathname.split('/')[2]!
  await page.goto('/orders')
  await says(page, '1 order(s)', 'pending')
  await expect(page.getByText(/^Payment: (paypal|N\/A)/)).toBeVisible()
  await leadsTo(page, /^View Details/, `/orders/${id}`)
  await expect(page.getByRole('button', { name: 'Download' })).toHaveCount(0)
  await page.goto('/orders/none-of-mine')
  await expect(page.getByRole('alert')).toContainText('We couldn’t find that order in your account')
})

test('settings and profile name everything that the specification names', { tag: ONCE }, async ({ page }) => {
  await register(page, 'Wilhelmina')
  await page.goto('/settings')
  await says(page, 'Push Notifications', 'Dark Mode', 'Auto Sync', 'Royal Blue', 'Silver', 'Purple', 'Sign Out')
  for (const name of ['Configure Webhooks', 'Change Password', 'Two-Factor Authentication', 'Contact Support'])
    await expect(page.getByRole('button', { name }).first(), name).toBeEnabled()
  await leadsTo(page, /Help Center/, '/help')
  await leadsTo(page, 'Sign Out', '/api/logout')
  await expect(page.getByRole('radio', { name: 'Royal Blue' })).toBeChecked()
  await expect(page.getByRole('switch', { name: /Dark Mode/ })).not.toBeChecked()
  await page.goto('/profile')
  await says(page, 'My Profile', 'Wilhelmina', 'Email Verified', 'Total Orders', '0', 'Total Spent', '$0.00')
  await says(page, 'Last login: Today', 'Account status: Active', 'Two-factor auth: Not enabled')
  await says(page, 'Start shopping to unlock achievements!', 'Edit Profile', 'Email Preferences')
  await expect(page.getByText(/^Joined /)).toBeVisible()
})
