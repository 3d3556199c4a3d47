import {
  expect,
  fillCart,
  forgive,
  payInWindow,
  placeUnpaid,
  press,
  register,
  routeRead,
  SAVED,
  showSavedWallet,
  test,
} from './shop.ts'

const METHODS = '**/api/payments/methods'

test.beforeEach(async ({ page }) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
})

test('a payment canceled in the window, or whose window is closed, leaves the cart unchanged', async ({ page }) => {
  await payInWindow(page, press(/cancel/i))
  // A plain notification is neither a success nor an error.
  await expect(page.locator('.toast--plain').getByText('Payment canceled')).toBeVisible()
  await expect(page.locator('.toast--plain')).toContainText('Your items are still in your cart.')
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
  await page.goto('/orders')
  await expect(page.getByText('0 order(s)', { exact: true })).toBeVisible()
  await expect(page.getByText(/failed/i)).toBeHidden()
  await page.getByText('Not paid').click()
  await expect(page.locator('.orders--unpaid .badge--neutral')).toHaveText('canceled')
  await expect(page.getByText('You canceled the order. Your items are back in your cart.')).toBeVisible()
  await page.getByRole('link', { name: /^View Details/ }).click()
  await expect(page.getByRole('region', { name: 'Order details' })).toBeVisible()

  await page.goto('/cart')
  await payInWindow(page, (popup) => popup.close())
  await expect(page.getByText('Payment canceled').first()).toBeVisible()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
})

test('a buyer completes a declined payment with a second payment', async ({ page }) => {
  await payInWindow(page, press(/decline/i))
  await expect(page.getByText('Payment declined').first()).toBeVisible()
  await expect(page).toHaveURL(/\/orders\//)
  await page.reload()
  await expect(page.getByText('Press Finish payment to try another way.').first()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: /^Payment declined/ })).toBeVisible()
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Finish payment' }).first())
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
})

test('without a saved wallet the cart has one button, which names the method', async ({ page }) => {
  const buttons = page.getByRole('complementary', { name: 'Order Summary' }).locator('.btn--wide')
  await expect(buttons).toHaveText(['Pay with PayPal'])
  await expect(buttons).toHaveClass(/btn--primary/)
  await expect(page.getByText(/Quick Buy/)).toHaveCount(0)
})

test('an unpaid order waits for its payment, until it is canceled or paid', async ({ page, baseURL }) => {
  await placeUnpaid(page)

  // canceled on the order's card or elsewhere, the order returns its lines to the cart
  await page.getByRole('button', { name: /^Cancel order/ }).click()
  await expect(page.getByText('Order canceled').first()).toBeVisible()
  await expect(page.getByText('You canceled the order. Your items are back in your cart.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^View Details/ })).toBeFocused()
  await page.getByRole('button', { name: 'Open cart' }).click()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()

  const id = await placeUnpaid(page)
  const headers = { origin: baseURL! }
  expect((await page.request.post(`/api/orders/${id}/cancel`, { headers })).status()).toBe(200)
  const card = page.getByRole('article').filter({ hasText: id.slice(-8) })
  await expect(card.getByText('Your items are back in your cart.')).toBeVisible()
  await page.locator('header a[href="/cart"]').click()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()

  // The empty cart links to the order.
  await placeUnpaid(page)
  await page.goto('/cart')
  await expect(page.getByText('You have an order waiting for payment')).toBeVisible()
  await page.getByRole('link', { name: 'Finish payment' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Finish payment' }).first())
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
})

test('a failed request to the provider does not change the cart, and the next press pays', async ({ page, faults }) => {
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
  forgive(faults, /503/)
})

test('Quick Buy charges the wallet saved in the window until Settings removes it', async ({ page, faults }) => {
  await payInWindow(page, async (popup) => {
    await popup.getByLabel('Save this wallet for next time').check()
    await press(/^Pay/)(popup)
  })
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  await fillCart(page, 'Morning Bells')
  // the cart shows the saved wallet without the provider's script
  await page.route('**/web-sdk/**', (route) => route.abort())
  // wallets that load later than the buttons do not move them
  const wallets = Promise.withResolvers<void>()
  await routeRead(page, METHODS, (route) => wallets.promise.then(() => route.continue()), { times: 1 })
  await page.goto('/cart')
  const buttons = page.getByRole('complementary', { name: 'Order Summary' }).locator('.btn--wide')
  await expect(buttons).toHaveText(['Pay with PayPal'])
  wallets.resolve()
  await expect(page.getByText(/^Quick Buy .*charges /)).toBeVisible()
  await expect(buttons).toHaveText(['Pay with PayPal', 'Quick Buy'])
  await page.reload()
  await expect(page.getByText(/^Quick Buy .*charges /)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Quick Buy' })).toHaveClass(/btn--primary/)
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  await expect(page.getByText('Completed').first()).toBeVisible()

  await page.goto('/settings')
  await page.getByRole('button', { name: /^Saved wallet/ }).click()
  await page.getByRole('button', { name: /^Remove buyer@/ }).click()
  await expect(page.getByText('Wallet removed').first()).toBeVisible()
  await expect(page.getByText('You have none.')).toBeVisible()
  forgive(faults, /ERR_FAILED/)
})

test('Quick Buy in the bar of a long cart asks first, and no notification covers the bar', async ({ page }) => {
  for (const title of ['Morning Bells', 'Bread by Weight', 'Larkspur Coffee Bar']) await fillCart(page, title)
  // the buttons keep the order that they have when they appear, so the cart waits for the saved methods
  const { isRead } = await showSavedWallet(page)
  await page.route(/\/api\/cart$/, (route) => isRead.then(() => route.continue()))
  await page.goto('/cart')
  const bar = page.getByRole('group', { name: 'Total and payment' })
  await bar.getByRole('button', { name: 'Quick Buy' }).click()
  const question = page.getByRole('dialog', { name: 'Buy all of this now?' })
  await expect(question.getByText(`${SAVED.label} will be charged right away.`)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await expect(page.locator('.toast')).toBeVisible()
  const [over, under] = [await page.locator('.toasts').boundingBox(), await bar.boundingBox()]
  expect(over!.y + over!.height).toBeLessThanOrEqual(under!.y)
})

test('a payment window shows after ten seconds that its page has gone', async ({ page }) => {
  await page.clock.install()
  await page.goto('/sandbox/paypal/checkoutnow')
  await expect(page.getByText('One moment, the order is being prepared.')).toBeVisible()
  const close = page.getByRole('button', { name: 'Close this window' })
  await expect(close).toBeHidden()
  await page.clock.fastForward(10_000)
  await expect(page.getByText(/^This took too long\. Close this window and press Finish payment/)).toBeVisible()
  await expect(close).toBeVisible()
})
