import { expect, fillCart, payInWindow, press, register, test } from './shop.ts'

test('the buyer confirms a large first purchase on the order, then pays', async ({ page }) => {
  await register(page)
  await fillCart(page, 'Larkspur Coffee Bar', 30)
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  const notice = page.getByRole('region', { name: 'Please confirm it’s you' })
  await expect(notice).toContainText('You haven’t been charged.')
  await expect(page.getByRole('button', { name: 'Finish payment' })).toHaveCount(0)
  await notice.getByRole('button', { name: /^Confirm it/ }).click()
  await expect(notice).toHaveCount(0)
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Finish payment' }).first())
  await expect(page.getByRole('button', { name: /^Show code/ }).first()).toBeVisible()
})
