import { expect, payInWindow, press, signUp, test } from './shop.ts'

test('a large first purchase is confirmed by its buyer on the order, then paid', async ({ page }) => {
  await signUp(page)
  const found = await page.request.get('/api/products?q=Larkspur%20Coffee%20Bar&limit=1')
  const [card] = (await found.json()) as { id: string }[]
  await page.request.post('/api/cart', { data: { productId: card!.id, quantity: 30 } })
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Pay with PayPal' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  const notice = page.getByRole('region', { name: 'Please confirm it’s you' })
  await expect(notice).toContainText('You haven’t been charged.')
  await expect(page.getByRole('button', { name: 'Finish payment' })).toHaveCount(0)
  await notice.getByRole('button', { name: /^Confirm it/ }).click()
  await expect(notice).toHaveCount(0)
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Finish payment' }).first())
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
})
