import { openMenu, openReceipt } from './goods.ts'
import { expect, findProduct, payInWindow, press, register, test } from './shop.ts'

test('a shopper gets a free sample and pays $5 for a book whose minimum is $3; the server refuses $2', async ({
  page,
}) => {
  await register(page, 'Robin')
  await page.goto('/categories?price=free')
  await page.getByRole('link', { name: 'Two Small Walks: a free sample' }).click()
  const buy = page.getByRole('region', { name: 'Buy' })
  await expect(buy.getByText('Free', { exact: true })).toBeVisible()
  await expect(buy.getByRole('button', { name: 'Buy Now' })).toHaveCount(0)
  await buy.getByRole('button', { name: 'Get it free' }).click()
  const receipt = page.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText(/a free sample.*Free.*Total.*\$0\.00/s)
  const saved = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  await saved
  await openMenu(page)
  await expect(page.getByRole('button', { name: 'Write a review' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask for a refund' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await openReceipt(page)
  await expect(page.getByRole('button', { name: 'Print receipt' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy again' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Invoice' })).toHaveCount(0)

  const book = await findProduct(page, 'A Year of Small Walks')
  const items = [{ productId: book.id, quantity: 1, price: '2.00' }]
  const forged = await page.request.post('/order', {
    data: { amount: '2.00', currency: 'USD', intent: 'capture', items },
    headers: { origin: new URL(page.url()).origin },
  })
  expect([forged.status(), (await forged.json()) as unknown]).toEqual([
    409,
    expect.objectContaining({ code: 'under_minimum' }),
  ])

  await page.goto(`/product/${book.id}`)
  await expect(buy.getByText('From $3.00')).toBeVisible()
  const amount = buy.getByLabel('You choose the price')
  await amount.fill('2')
  await expect(buy.getByText('Pay at least $3.00')).toBeVisible()
  await expect(buy.getByRole('button', { name: 'Buy Now' })).toBeDisabled()
  await buy.getByRole('button', { name: '$3.00' }).click()
  await expect(amount).toHaveValue('3.00')
  await buy.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Change the price of A Year of Small Walks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the price' })
  await dialog.getByLabel('What you pay for a copy').fill('5')
  await dialog.getByRole('button', { name: 'Change price' }).click()
  await expect(page.getByRole('complementary', { name: 'Order Summary' })).toContainText(/Total.*\$5\.00/s)
  await payInWindow(page, press(/^Pay/))
  await expect(receipt).toContainText(/A Year of Small Walks.*\$5\.00.*Total.*\$5\.00/s)
})
