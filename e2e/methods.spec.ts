import { expect, fillCart, payInWindow, placeUnpaid, press, register, test } from './shop.ts'

// Cards on the page of Stripe's sandbox, and the window of PayPal.

test('a buyer chooses a card in the cart, changes the method of a waiting order, and removes a saved card', async ({
  page,
}) => {
  await register(page)
  const product = await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
  const group = page.getByRole('group', { name: 'How do you want to pay?' })
  await expect(group.getByRole('radio', { name: /^PayPal/ })).toBeChecked()
  // arrow keys change the choice and the button
  await group.getByRole('radio', { name: /^PayPal/ }).focus()
  const kept = page.waitForResponse((response) => response.url().endsWith('/api/payments/methods/choice'))
  await page.keyboard.press('ArrowDown')
  await expect(group.getByRole('radio', { name: /^Card/ })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Pay with Card' })).toBeVisible()

  // the server stores the choice, so another visit starts with it
  await kept
  await page.goto('/cart')
  await expect(group.getByRole('radio', { name: /^Card/ })).toBeChecked()
  await page.getByRole('button', { name: 'Pay with Card' }).click()
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible()

  // the buyer cancels there and returns to the cart
  await page
    .getByRole('link', { name: /back|cancel|return/i })
    .first()
    .click()
  await expect(page.getByText('Payment canceled').first()).toBeVisible()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()

  // an order waits for a card payment; the buyer pays by PayPal instead
  await placeUnpaid(page, 'stripe')
  // the order uses its own method, also before the choice has loaded
  let load = () => {}
  const isTime = new Promise<void>((resolve) => (load = resolve))
  await page.route('**/api/payments/methods', async (route) => {
    await isTime
    await route.fallback()
  })
  await page.reload()
  await expect(page.getByText('Payment: Card').first()).toBeVisible()
  await page.getByRole('button', { name: 'Finish payment' }).first().click()
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible()
  const abandoned = page.url()
  load()
  await page.goto('/orders')
  const other = page.getByRole('button', { name: 'Pay another way' }).first()
  // aligns the text of the quiet button with the edge of filled buttons
  await expect(other).toHaveCSS('margin-inline-start', '-8px')
  await other.click()
  const dialog = page.getByRole('dialog', { name: 'How do you want to pay?' })
  await expect(dialog.getByText('To pay', { exact: true })).toBeVisible()
  await dialog.getByRole('radio', { name: /^PayPal/ }).click()
  await expect(dialog.getByRole('radio', { name: /^PayPal/ })).toBeChecked()
  await payInWindow(page, press(/^Pay/), dialog.getByRole('button', { name: /^Pay \$.* with PayPal$/ }))
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await expect(page.getByText('Payment: PayPal').first()).toBeVisible()
  // the abandoned card page accepts no payment
  expect((await page.request.get(abandoned)).status()).toBe(410)

  // Buy Now on the product page shows the last used method and can change it
  await page.goto(`/product/${product.id}`)
  await expect(page.getByText(/^With PayPal\./)).toBeVisible()
  await page.getByRole('button', { name: 'Change the payment method' }).click()
  await dialog.getByRole('radio', { name: /^Card/ }).click()
  await expect(dialog.getByRole('radio', { name: /^Card/ })).toBeChecked()
  await dialog.getByRole('button', { name: /^Pay \$.* with Card$/ }).click()
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible()
  await page.getByRole('checkbox', { name: /^Save this card/ }).check()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page).toHaveURL(/\/orders\//)
  await expect(page.getByText('Completed').first()).toBeVisible()

  // the saved card is the default: Buy Now charges it at once
  await page.goto(`/product/${product.id}`)
  await expect(page.getByText(/^Charges .* at once\./)).toBeVisible()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await expect(page.getByText('Order placed!').first()).toBeVisible()
  await expect(page).toHaveURL(/\/orders\//)

  for (const from of ['/settings', '/profile']) {
    await page.goto(from)
    await page.getByRole('link', { name: 'Payment methods' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Payment methods' })).toBeVisible()
  }
  const saved = page.getByRole('list', { name: 'Saved payment methods' })
  await expect(saved.getByText('Default')).toBeVisible()
  await saved.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Payment method removed').first()).toBeVisible()
  await expect(page.getByText('No saved payment methods')).toBeVisible()

  // PayPal and a card are saved without a purchase
  await page.getByRole('button', { name: 'Add PayPal' }).click()
  await page.getByRole('button', { name: 'Cancel and return' }).click()
  await expect(page.getByText('No saved payment methods')).toBeVisible()
  await page.getByRole('button', { name: 'Add PayPal' }).click()
  await expect(page.getByRole('heading', { name: 'Save your account' })).toBeVisible()
  await page.getByRole('button', { name: 'Save this account' }).click()
  await expect(page.getByText('Payment method saved').first()).toBeVisible()
  await expect(saved.getByText('buyer@sandbox.example')).toBeVisible()
  await expect(page).toHaveURL(/\/profile\/payments$/)
  await page.getByRole('button', { name: 'Add card' }).click()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Payment method saved').first()).toBeVisible()
  await expect(saved.getByText('Visa ending in 4242')).toBeVisible()
})

test('the return page reports a payment that it does not find', async ({ page }) => {
  await register(page)
  await page.goto('/checkout/return?provider=stripe&ref=cs_test_of_somebody_else')
  await expect(page.getByRole('heading', { name: 'Payment not found' })).toBeVisible()
  await page.goto('/checkout/return')
  await expect(page.getByRole('link', { name: 'View your orders' })).toBeVisible()
})
