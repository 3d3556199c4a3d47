import { expect, fillCart, register, test } from './shop.ts'

test('a buyer confirms 3-D Secure on the card page, and again for a saved card', async ({ page }) => {
  await register(page)
  const product = await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
  await page.getByRole('radio', { name: /^Card/ }).click()
  await expect(page.getByRole('radio', { name: /^Card/ })).toBeChecked()
  await page.getByRole('button', { name: 'Pay with Card' }).click()
  await expect(page.getByText('No real money moves')).toBeVisible()

  const payWith = async (number: string, isSaved = false) => {
    await page.getByLabel('Card number').fill(number)
    await page.getByRole('checkbox', { name: /^Save this card/ }).setChecked(isSaved)
    await page.getByRole('button', { name: /^Pay \$/ }).click()
  }
  await payWith('4000 0000 0000 0002')
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.')
  await payWith('4000 0027 6000 3184')
  await expect(page.getByRole('heading', { name: '3-D Secure' })).toBeVisible()
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByRole('alert')).toContainText('unable to authenticate')
  await payWith('4000 0027 6000 3184', true)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  await expect(page.getByText('Completed').first()).toBeVisible()

  await page.goto(`/product/${product.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await expect(page.getByRole('heading', { name: '3-D Secure' })).toBeVisible()
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(/\/orders\//)
  await expect(page.getByText('Completed').first()).toBeVisible()
})
