import { expect, findProduct, listProduct, payInWindow, press, register, test } from './shop.ts'

test('a shopper buys two amounts of one gift card, and each line has its own price and code', async ({ page }) => {
  await register(page)
  await page.goto('/categories?kind=code&q=Meadow')
  const card = page.getByRole('article').filter({ hasText: 'Meadow Market' })
  await expect(card.getByText('From $10.00')).toBeVisible()
  await expect(page.getByLabel('Kind')).toHaveValue('code')
  // the button opens the choice of variants
  await card.getByRole('button', { name: 'Choose a variant of Meadow Market Gift Card' }).click()
  const buy = page.getByRole('region', { name: 'Buy' })
  const variants = buy.getByRole('group', { name: 'Variant' })
  await expect(variants.getByRole('button', { name: '$10', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await variants.getByRole('button', { name: /^\$100 .*sold out/ }).click()
  await expect(buy.getByRole('button', { name: 'Tell me when it’s back' })).toBeEnabled()
  await expect(buy.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
  for (const amount of ['$25', '$10']) {
    await variants.getByRole('button', { name: amount, exact: true }).click()
    await expect(buy.getByText(`${amount}.00`, { exact: true }).first()).toBeVisible()
    const added = page.waitForResponse((response) => response.url().endsWith('/api/cart') && response.ok())
    await buy.getByRole('button', { name: 'Add to Cart' }).click()
    await added
  }
  await page.goto('/cart')
  for (const amount of ['$10', '$25'])
    await expect(page.getByRole('link', { name: `Meadow Market Gift Card – ${amount}` })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Order Summary' })).toContainText(/Total.*\$35\.00/s)
  await payInWindow(page, press(/^Pay/))
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(
    /Meadow Market Gift Card – \$\d+.*Total.*\$35\.00/s,
  )
  await expect(page.getByRole('button', { name: 'Show code Meadow Market Gift Card – $25' })).toBeVisible()
})

test('a bundle shows its parts and its saving, and its order has a line for each part', async ({ page }) => {
  await register(page)
  const bundle = await findProduct(page, 'Quiet Evenings')
  await page.goto(`/product/${bundle.id}`)
  await expect(page.getByRole('heading', { name: '3 products in one' })).toBeVisible()
  await expect(page.getByText('You save $3.00.')).toBeVisible()
  await page.request.post('/api/cart', { data: { productId: bundle.id, quantity: 1 } })
  await page.goto('/cart')
  await payInWindow(page, press(/^Pay/))
  const goods = page.getByRole('group', { name: 'Your goods' })
  for (const name of ['Read Salt and Time', 'Read The Evening Sky', 'Listen Glass Rain'])
    await expect(goods.getByRole('link', { name })).toBeVisible()
  // the bundle is one group, with its name once
  await expect(goods.getByText('Quiet Evenings')).toHaveCount(1)
  await expect(goods.getByRole('heading', { name: /^Quiet Evenings.* 3 things$/ })).toBeVisible()
  await page.goto(`/product/${bundle.id}`)
  await expect(page.getByText('You have all of these already.')).toBeVisible()
})

test('a seller adds variants to a product and puts two products into a bundle', async ({ page }) => {
  await register(page, 'Sally')
  const name = `Type ${crypto.randomUUID().slice(0, 8)}`
  const id = await listProduct(page, name)
  await listProduct(page, `${name} B`)
  await page.goto(`/my-products/${id}`)
  const editor = page.getByRole('region', { name: 'Variants' })
  for (const [i, words] of [
    ['Personal', '4'],
    ['Company', '40'],
  ].entries()) {
    await editor.getByRole('button', { name: 'Add a variant' }).click()
    await editor.getByLabel(`Name of variant ${i + 1}`).fill(words[0]!)
    await editor.getByLabel(`Price of ${words[0]}`).fill(words[1]!)
  }
  await editor.getByRole('button', { name: 'Save variants' }).click()
  await expect(page.getByText('Variants saved').first()).toBeVisible()
  await editor.getByRole('link', { name: 'Files of Company' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Company: what buyers get' })).toBeVisible()
  expect(await findProduct(page, name)).toMatchObject({ price: '4.00', most: '40.00' })

  const { request } = page.context()
  const headers = { origin: new URL(page.url()).origin }
  const draft = { title: `${name} bundle`, price: '20.00', categoryId: 'ebooks', isDraft: true }
  const made = (await (await request.post('/api/products', { data: draft, headers })).json()) as { id: string }
  await page.goto(`/my-products/${made.id}`)
  await page.getByRole('button', { name: /^A bundle/ }).click()
  const parts = page.getByRole('region', { name: 'Products in this bundle' })
  for (const title of [`${name} – Company`, `${name} B`])
    await parts
      .getByLabel('Add a product')
      .selectOption({ label: title === `${name} B` ? `${title}, $5.00` : `${title}, $40.00` })
  await expect(parts.getByText('Buyers save $25.00.')).toBeVisible()
  await parts.getByRole('button', { name: 'Save bundle' }).click()
  await expect(page.getByText('Bundle saved').first()).toBeVisible()
  await page.getByRole('button', { name: 'Put on sale' }).click()
  await expect.poll(async () => (await findProduct(page, draft.title))?.price).toBe('20.00')
})
