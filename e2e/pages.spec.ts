import type { Page } from '@playwright/test'
import {
  ONCE,
  WIDE,
  addToCart,
  cartOf,
  enter,
  expect,
  findProduct,
  forgive,
  listProduct,
  openStaff,
  payInWindow,
  placeUnpaid,
  press,
  register,
  routeRead,
  signUp,
  test,
} from './shop.ts'

// Each page shows the texts and links that the specification lists.

const says = async (page: Page, ...texts: string[]) => {
  for (const text of texts) await expect(page.getByText(text, { exact: true }).first(), text).toBeVisible()
}
const leadsTo = (page: Page, name: string | RegExp, href: string | RegExp) =>
  expect(page.getByRole('link', { name }).first()).toHaveAttribute('href', href)

test('home greets by name and links to every section', { tag: ONCE }, async ({ page }) => {
  await signUp(page, 'Wilhelmina')
  await expect(page.getByText(/Wilhelmina/).first()).toBeVisible()
  await says(page, 'Quick Actions', 'Categories', 'Featured Products', 'System Status', 'Deployment readiness')
  await leadsTo(page, 'Analytics', '/orders?tab=sales')
  await leadsTo(page, 'View All', '/categories')
  await leadsTo(page, 'See All', '/categories')
  await leadsTo(page, 'Gift Cards', /^\/categories\?category=/)
  await expect(page.locator('.cats a')).toHaveCount(7)
  await expect(page.locator('.product')).toHaveCount(3)
  await expect(page.getByText('Recent Orders')).toHaveCount(0)
  await page.getByText('System Status').click()
  await says(page, 'Location', 'Screen type', 'Health')
  await routeRead(page, '**/api/products?limit=3', (route) => route.fulfill({ json: [] }))
  await page.reload()
  await page.getByRole('button', { name: 'Add Your First Product' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Product' })).toBeVisible()
})

test('the product list filters by category and search and shows the count', { tag: WIDE }, async ({ page }) => {
  await register(page)
  await page.goto('/')
  await page.locator('.cats').getByRole('link', { name: 'E-Books' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'E-Books' })).toBeVisible()
  const chips = page.getByRole('main')
  await expect(chips.getByText('E-Books', { exact: true }).first()).toBeVisible()
  const search = page.getByPlaceholder('Search products...')
  // the search field of the product list is in the top bar
  await expect(page.locator('.topbar').getByRole('searchbox')).toBeVisible()
  await expect(search).toHaveCount(1)
  await search.fill('SALT TI')
  await expect(page.getByText('Search: SALT TI')).toBeVisible()
  await expect(page.getByText('1 product(s) found')).toBeVisible()
  const card = page.getByRole('article').first()
  await expect(card.getByText('Auto-converted')).toBeVisible()
  await expect(card.getByText('$4.50')).toBeVisible()
  await expect(card.getByRole('link')).toHaveAttribute('href', /^\/product\//)
  expect((await card.innerText()).split(/\s+/).length).toBeLessThanOrEqual(18)
  await search.fill('zzzzqqqq')
  await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'All Categories' })).toBeVisible()
})

test(
  'a card disables Add for an inactive product and shows the cover for a broken image',
  { tag: ONCE },
  async ({ page, faults }) => {
    await register(page)
    // the poll would restore the server's state
    const unchanged = { version: '0', changed: [], removed: [] }
    await page.route('**/api/real-time/products', (route) => route.fulfill({ json: unchanged }))
    await routeRead(page, '**/api/products?limit=3', async (route) => {
      const response = await route.fetch()
      const products = (await response.json()) as { isActive: boolean; imageUrl: string | null }[]
      Object.assign(products[0]!, { isActive: false, imageUrl: '/images/none/640.webp' })
      await route.fulfill({ response, json: products })
    })
    await page.goto('/')
    const [off, on] = [0, 1].map((i) => page.getByRole('article').nth(i).getByRole('button', { name: /^Add/ }))
    await expect(off!).toBeDisabled()
    await expect(on!).toBeEnabled()
    const card = page.locator('.product').first()
    await expect(card.locator('.cover')).toBeVisible()
    await expect(card.locator('img')).toHaveCount(0)
    forgive(faults, /404/)
  },
)

test(
  'a purchase shows its cart, its order, its receipt in print and its card at home',
  { tag: ONCE },
  async ({ page }) => {
    const { email } = await register(page)
    await page.goto('/cart')
    await says(page, 'Your cart is empty', 'Add some products to your cart to get started')
    await leadsTo(page, 'Browse Products', '/categories')
    await page.goto('/orders')
    await says(page, 'My Orders', '0 order(s)', 'No orders yet', 'Start shopping to see your orders here')
    await leadsTo(page, 'Browse Products', '/categories')

    await addToCart(page, 'Salt and Time')
    await expect(page.getByRole('link', { name: /^Cart.*1/ })).toBeVisible()
    await page.getByRole('button', { name: 'View cart' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Shopping Cart' })).toBeFocused()
    // The lines of the cart do not depend on the orders.
    await routeRead(page, /\/api\/orders\?/, () => undefined)
    await page.goto('/cart')
    await says(page, 'Shopping Cart', '1 item(s) in your cart', 'Order Summary', 'Subtotal', 'Tax', '$0.00')
    await says(page, 'Shipping', 'Free (Digital)', 'Total', 'Pay with PayPal')
    await says(page, 'Secure checkout • Your digital products will be available immediately after purchase')
    await expect(page.getByRole('button', { name: /^Decrease/ })).toBeDisabled()
    await page.getByRole('button', { name: /^Increase/ }).click()
    await expect(page.getByText('$9.00').first()).toBeVisible()
    await expect.poll(async () => (await cartOf(page))[0]?.quantity).toBe(2)
    await page.getByRole('button', { name: /^Decrease/ }).click()
    await expect.poll(async () => (await cartOf(page))[0]?.quantity).toBe(1)
    await page.unroute(/\/api\/orders\?/)
    const id = await placeUnpaid(page)

    await expect(page.getByRole('heading', { name: 'Order details' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Print receipt' })).toHaveCount(0)

    await page.goto('/orders')
    await says(page, '1 order(s)', 'pending', 'Salt and Time')
    await expect(page.getByRole('article').locator('.order__covers .cover')).toBeVisible()
    await expect(page.getByText(/^Payment: (PayPal|N\/A)/)).toBeVisible()
    await leadsTo(page, /^View Details/, `/orders/${id}`)
    await expect(page.getByRole('button', { name: 'Download' })).toHaveCount(0)
    await page.goto('/orders/0190b3c2-7f58-7cc3-98c4-dc0c0c07398f')
    await expect(page.getByRole('alert')).toContainText('We couldn’t find that order in your account')

    await page.goto('/')
    const recent = page.getByRole('region', { name: 'Recent Orders' })
    await expect(recent.getByRole('heading', { name: `Order #${id.slice(-8)}` })).toBeVisible()
    await expect(recent.getByText('pending')).toBeVisible()
    await expect(recent.getByText('$4.50')).toBeVisible()
    await expect(recent.getByText('Salt and Time')).toBeVisible()
    await expect(recent.getByRole('link', { name: 'See All' })).toHaveAttribute('href', '/orders')

    await page.goto(`/orders/${id}`)
    await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Finish payment' }).first())
    await expectPrintedReceipt(page, id, email)
  },
)

/** Checks that an open order prints only its receipt. */
async function expectPrintedReceipt(page: Page, id: string, email: string) {
  const paper = page.getByText(`Robin, ${email}`)
  await expect(paper).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expect(paper).toBeVisible()
  const receipt = page.locator('.receipt__fold')
  for (const text of ['Store: Primo', `Order number: ${id}`, 'Payment method: PayPal', 'Total'])
    await expect(receipt).toContainText(text)
  await expect(receipt).toContainText(new RegExp(`Date: \\w{3} \\d+, ${new Date().getFullYear()}, \\d`))
  await expect(receipt).toContainText('Payment reference')
  const connectors = page.locator('.timeline li').first()
  expect(await connectors.evaluate((step) => getComputedStyle(step, '::after').display)).toBe('none')
  for (const hidden of ['.nav', '.topbar', '.statusbar', '.receipt__tools', '.order__head', '.order__foot'])
    await expect(page.locator(hidden).first(), hidden).toBeHidden()
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ media: null })
}

test('product page, settings and profile show every text of the specification', { tag: ONCE }, async ({ page }) => {
  await register(page, 'Wilhelmina')
  const { id } = await findProduct(page, 'Salt and Time')
  await page.goto(`/product/${id}`)
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

test('a member reports a product, staff ask the seller, take it down, read the answer and put it back', async ({
  page,
  browser,
}) => {
  const title = `Sharp knife ${crypto.randomUUID()}`
  const seller = await register(page, 'Sally')
  const id = await listProduct(page, title)
  await register(page, 'Ada')
  await page.goto(`/product/${id}`)
  await page.getByRole('button', { name: 'Report this product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this product' })
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByText('Choose a reason.')).toBeVisible()
  await dialog.getByLabel('What is wrong?').selectOption('Harmful file')
  await dialog.getByLabel('What should we know?').fill('My scanner stopped it.')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Thank you').first()).toBeVisible()

  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto('/admin/reports')
  await staff.getByRole('link', { name: title }).click()
  await expect(staff.getByText('My scanner stopped it.')).toBeVisible()
  await staff.getByRole('button', { name: 'Take this case' }).click()
  await expect(staff.getByText('You work on this case.')).toBeVisible()
  await staff.goto('/admin/reports')
  await staff.getByRole('button', { name: 'Mine' }).click()
  await staff.getByRole('link', { name: title }).click()
  await staff.getByRole('button', { name: 'Ask the seller first' }).click()
  await staff.getByLabel('Your question').fill('Which scanner did you use?')
  await staff.getByRole('button', { name: 'Send question' }).click()
  await expect(staff.getByText(/^Asked the seller, until/).last()).toBeVisible()
  await enter(page, seller)
  await page.goto(`/my-products/${id}`)
  await expect(page.getByText('Which scanner did you use?')).toBeVisible()
  await page.getByLabel('Your answer').fill('None at all.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible()
  await staff.reload()
  await expect(staff.getByText('None at all.')).toBeVisible()

  await staff.getByRole('button', { name: 'Take down' }).click()
  await expect(staff.getByText('Choose a reason.')).toBeVisible()
  await staff.getByLabel('Reason for the take-down').selectOption('Harmful file')
  await staff.getByLabel('To the seller').fill('Two scans flag it.')
  await staff.getByRole('button', { name: 'Take down' }).click()
  await expect(staff.getByText('Not listed', { exact: true })).toBeVisible()

  const own = async () => (await (await page.request.get(`/api/products/${id}`)).json()) as { isTakenDown: boolean }
  await expect.poll(async () => (await own()).isTakenDown).toBe(true)
  await page.goto('/my-products')
  await expect(page.getByRole('row').filter({ hasText: title })).toContainText('Stopped by the store')
  await page.goto(`/product/${id}`)
  await expect(page.getByText('Two scans flag it.')).toBeVisible()
  await page.getByLabel('Your answer').fill('The new version is clean.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible()

  await staff.reload()
  await expect(staff.getByText('The new version is clean.')).toBeVisible()
  await staff.getByRole('button', { name: 'Put back' }).click()
  await expect(staff.getByText('Listed', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()

  await staff.getByText('Suspend the seller').click()
  await staff.getByLabel('Why').fill('Three take-downs in a week.')
  await staff.getByLabel(/^Type Sally/).fill('Sally')
  await staff.getByRole('button', { name: 'Suspend for 7 days' }).click()
  await expect(staff.getByText(/^Since .*Three take-downs in a week\./)).toBeVisible()
  await staff.getByRole('button', { name: 'Lift the suspension' }).click()
  await expect(staff.getByText('Suspend the seller')).toBeVisible()
  await staff.context().close()
})

test('staff find a member, suspend the member without a report and lift it', async ({ page, browser }) => {
  const { email } = await register(page, 'Sally')
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto('/admin/members')
  await staff.getByLabel('Name, email, order or payer').fill(email)
  await staff.getByRole('button', { name: 'Find' }).click()
  await staff.getByRole('list', { name: 'Members' }).getByRole('link').click()
  await expect(staff.getByRole('heading', { name: 'Sally' })).toBeVisible()
  await staff.getByText('Suspend the seller').click()
  await staff.getByLabel('Why').fill('Stolen cards.')
  await staff.getByLabel(/^Type Sally/).fill('Sally')
  await staff.getByRole('button', { name: 'Suspend for 7 days' }).click()
  await expect(staff.getByText(/^Since .*Stolen cards\./)).toBeVisible()
  await expect(staff.getByText('Suspended', { exact: true }).first()).toBeVisible()
  await staff.getByRole('link', { name: 'All members' }).click()
  await expect(staff.getByLabel('Name, email, order or payer')).toHaveValue(email)
  await staff.getByRole('list', { name: 'Members' }).getByRole('link').click()
  await staff.getByRole('button', { name: 'Lift the suspension' }).click()
  await expect(staff.getByText('Suspend the seller')).toBeVisible()
  await staff.context().close()
})
