import { addToCart, expect, payInWindow, press, register, test } from './shop.ts'

const BOOK = 'Salt and Time'

test.beforeEach(async ({ page }) => {
  await register(page)
  await addToCart(page, BOOK)
  await page.goto('/cart')
})

test('a payment canceled in the window leaves the cart as it was', async ({ page }) => {
  await payInWindow(page, press(/cancel/i))
  // neither a success nor a fault
  await expect(page.locator('.toast--plain').getByText('Payment canceled')).toBeVisible()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
  await page.goto('/orders')
  await expect(page.getByText(/failed/i).first()).toBeVisible()
})

test('a window that is simply closed leaves the cart as it was', async ({ page }) => {
  await payInWindow(page, (popup) => popup.close())
  await expect(page.getByText('Payment canceled').first()).toBeVisible()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
})

test('a declined payment can be finished with another try', async ({ page }) => {
  await payInWindow(page, press(/decline/i))
  await expect(page.getByText('Payment declined').first()).toBeVisible()
  await expect(page).toHaveURL(/\/orders\//)
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Finish payment' }).first())
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
})

test('Quick Buy without a saved method waits for its payment', async ({ page }) => {
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await expect(page.getByText('Your order has been placed successfully.').first()).toBeVisible()
  await expect(page).toHaveURL(/\/orders\//)
  // the cart, opened anew, is empty and knows where it went
  await page.goto('/cart')
  await expect(page.getByText('You have an order waiting for payment')).toBeVisible()
  await page.getByRole('link', { name: 'Finish payment' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Finish payment' }).first())
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
})

test('an order that waits is canceled on its card, and the cart is as it was', async ({ page }) => {
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await expect(page.getByText('Your order has been placed successfully.').first()).toBeVisible()
  await page.getByRole('button', { name: /^Cancel order/ }).click()
  await expect(page.getByText('Order canceled').first()).toBeVisible()
  await expect(page.getByText('You canceled the order. Your items are back in your cart.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Open cart' }).click()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
})

test('an order that ends elsewhere gives its lines back to the cart of an open page', async ({ page, baseURL }) => {
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  const id = new URL(page.url()).pathname.split('/')[2]!
  const headers = { origin: baseURL! }
  expect((await page.request.post(`/api/orders/${id}/cancel`, { headers })).status()).toBe(200)
  await expect(page.getByText('Your items are back in your cart.').first()).toBeVisible()
  await page.locator('header a[href="/cart"]').click()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
})

test('a provider that is away for a moment is said, the cart is as it was, and the next press goes through', async ({
  page,
  faults,
}) => {
  await page.route('**/order', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 503,
          json: {
            message: 'The payment provider isn’t responding. Nothing was charged; please try again.',
            code: 'provider_away',
          },
        })
      : route.continue(),
  )
  const asked: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/order') && asked.push(request.url())))
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  await expect(page.getByText(/^Failed to place order\. The payment provider isn’t responding/).first()).toBeVisible()
  expect(asked).toHaveLength(1)
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
  await page.unroute('**/order')
  await payInWindow(page, press(/^Pay/))
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  faults.splice(0, faults.length, ...faults.filter((fault) => !/503/.test(fault)))
})

test('a wallet that the shop was let to keep is removed in Settings', async ({ page }) => {
  await payInWindow(page, async (popup) => {
    await popup.getByLabel('Save this wallet for next time').check()
    await press(/^Pay/)(popup)
  })
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await page.goto('/settings')
  await page.getByRole('button', { name: /^Saved wallet/ }).click()
  await page.getByRole('button', { name: /^Remove buyer@/ }).click()
  await expect(page.getByText('Wallet removed').first()).toBeVisible()
  await expect(page.getByText('You have none.')).toBeVisible()
})

test('Buy Now buys the product on the page and leaves the cart alone', async ({ page }) => {
  await page.goto('/categories?q=Morning%20Bells')
  await page.getByRole('link', { name: 'Morning Bells' }).first().click()
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Buy Now' }))
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  // back on the product's page its buyer may review it
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Write a review' })).toBeVisible()
  await page.goto('/cart')
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
})
