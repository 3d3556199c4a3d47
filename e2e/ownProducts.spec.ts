import { closeUploader, expect, ONCE, register, test } from './shop.ts'

test('a seller searches their products, withdraws two, undoes it, and deletes one', async ({ page }) => {
  await register(page, 'Sally')
  for (const title of ['First Pages', 'Second Pages', 'Notes'])
    await page.request.post('/api/products', { data: { title, price: '4', categoryId: 'ebooks' } })
  await page.goto('/my-products')
  await expect(page.getByText('3 products', { exact: true })).toBeVisible()
  for (const [name, text] of [
    ['Import products', 'Import'],
    ['Export products', 'Export'],
  ] as const)
    await expect(page.getByRole('button', { name })).toHaveText(text)
  await expect(page.getByText('Sort by')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search my products' }).fill('pages')
  await expect(page).toHaveURL('/my-products?q=pages')
  await expect(page.getByText('2 products', { exact: true })).toBeVisible()
  for (const title of ['First Pages', 'Second Pages'])
    await page.getByRole('checkbox', { name: `Select ${title}` }).check()
  const chosen = page.getByRole('region', { name: 'Selected products' })
  await expect(chosen.getByText('2 selected')).toBeVisible()
  await chosen.getByRole('button', { name: 'Withdraw' }).click()
  await expect(chosen).toBeHidden()
  await expect(page.getByText('2 products off sale').first()).toBeVisible()
  const rows = page.locator('tbody tr')
  await expect(rows.getByText('Withdrawn')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 products can’t go on sale without a file.').first()).toBeVisible()
  await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Withdrawn' }).click()
  await expect(page.getByText('2 products', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Options of First Pages' }).click()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog', { name: 'Delete “First Pages”?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('“First Pages” deleted').first()).toBeVisible()
  await expect(page.getByText('1 product', { exact: true })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search my products' }).fill('nothing like it')
  await expect(page.getByText('No products found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByText('2 products', { exact: true })).toBeVisible()
})

test('the table of products fits next to the rail at 1280 px', { tag: ONCE }, async ({ page }) => {
  await register(page, 'Sally')
  const title = 'Pages about night trains and slow mornings'
  await page.request.post('/api/products', { data: { title, price: '9999', categoryId: 'ebooks', isDraft: true } })
  await page.route('**/api/account/products?*', async (route) => {
    const response = await route.fetch()
    const products = (await response.json()) as object[]
    const figures = { stock: 1200, sales: 1200, views: 98_000, rated: { stars: 4.7, reviews: 31, samples: 3 } }
    await route.fulfill({ response, json: products.map((product) => ({ ...product, ...figures })) })
  })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/my-products')
  await expect(page.getByText('4.7 (31 reviews, 3 of them samples)')).toBeVisible()
  const isClipped = await page.locator('.tablewrap').evaluate((wrap) => wrap.scrollWidth > wrap.clientWidth)
  expect(isClipped).toBe(false)
})

test('on a phone each product is one line, and filters and sorting share a row', { tag: ONCE }, async ({ page }) => {
  await register(page, 'Sally')
  for (const title of ['First Pages', 'Notes'])
    await page.request.post('/api/products', { data: { title, price: '4', categoryId: 'ebooks', isDraft: true } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/my-products')
  const row = page.locator('tbody tr').filter({ hasText: 'First Pages' })
  for (const text of ['$4.00', 'Draft', '0 sold']) await expect(row.getByText(text, { exact: true })).toBeVisible()
  for (const text of ['No limit', 'None yet']) await expect(row.getByText(text)).toBeHidden()
  expect((await row.boundingBox())?.height).toBeLessThan(80)
  const middleOf = async (name: 'group' | 'combobox', label: string) => {
    const box = await page.getByRole(name, { name: label }).boundingBox()
    return box && Math.round(box.y + box.height / 2)
  }
  const chips = await middleOf('group', 'Status')
  expect(Math.abs((chips ?? 0) - ((await middleOf('combobox', 'Sort by')) ?? 99))).toBeLessThan(4)
  await row.getByRole('checkbox').check()
  await expect(page.getByText('1 selected')).toBeVisible()
  // between the facts, away from the title
  const { width, height } = (await row.boundingBox())!
  await row.click({ position: { x: width - 60, y: height - 12 } })
  await expect(page.getByRole('heading', { level: 1, name: 'Edit First Pages' })).toBeVisible()
})

test('a seller writes a draft, edits it in two tabs without losing a word, and puts it on sale', async ({
  page,
  context,
}) => {
  await register(page, 'Sally')
  await page.goto('/my-products/new')
  await page.getByLabel('Title').fill('Slow Trains')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Price is required')).toBeVisible()
  await expect(page.getByLabel(/Price/)).toBeFocused()
  await page.getByLabel(/Price/).fill('8,5')
  await page.getByLabel('Category').selectOption({ label: 'Audio' })
  const editor = page.getByRole('textbox', { name: 'Description' })
  await editor.fill('Four sleepers')
  await editor.selectText()
  await page.getByRole('button', { name: 'Bold' }).click()
  await expect(editor).toHaveValue('**Four sleepers**')
  const preview = page.getByRole('region', { name: 'Preview of the description' })
  await expect(preview.locator('strong')).toHaveText('Four sleepers')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Slow Trains' })).toBeVisible()
  await expect(page.getByLabel(/Price/)).toHaveValue('8.50')

  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByLabel('Title').fill('Fast Trains')
  await other.getByLabel(/Price/).fill('9.00')
  await other.getByRole('button', { name: 'Save changes' }).click()
  await expect(other.getByText('Changes saved').first()).toBeVisible()
  await other.close()

  await page.getByLabel(/Price/).fill('7.00')
  const inShop = page.getByRole('complementary', { name: 'In the shop' })
  await expect(inShop).toContainText(/What buyers see.*Slow Trains.*\$7\.00.*What buyers say.*No reviews yet/s)
  await editor.fill('Two sleepers')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const both = page.getByRole('region', { name: 'Price changed elsewhere' })
  await expect(both.getByText('Saved there: $9.00')).toBeVisible()
  await expect(both.getByText('Yours: $7.00')).toBeVisible()
  // a field that this tab did not change shows the saved value
  await expect(page.getByLabel('Title')).toHaveValue('Fast Trains')
  await expect(editor).toHaveValue('Two sleepers')
  await both.getByRole('button', { name: 'Use theirs' }).click()
  await expect(page.getByLabel(/Price/)).toHaveValue('9.00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Changes saved').first()).toBeVisible()

  await page.getByRole('button', { name: 'Put on sale' }).click()
  await expect(page.getByText('can’t go on sale without a file').first()).toBeVisible()
  const goods = page.getByRole('region', { name: 'File', exact: true })
  await goods.getByRole('button', { name: /Digital file/ }).click()
  const file = { name: 'trains.txt', mimeType: 'text/plain', buffer: Buffer.from('Tracks.\n'.repeat(50)) }
  await page.locator('input.uppy-Dashboard-input[type=file]').first().setInputFiles(file)
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
  await expect(page.getByText('File added').first()).toBeVisible()
  await closeUploader(page)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Put on sale' }).click()
  await expect(page.getByText('“Fast Trains” on sale').first()).toBeVisible()
  await page.getByRole('button', { name: 'Options of Fast Trains' }).click()
  await page.getByRole('link', { name: 'View in shop' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fast Trains' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
})

test(
  'the goods of a product come first, and links at the side mark the current part and jump to each part',
  { tag: ONCE },
  async ({ page }) => {
    await register(page, 'Sally')
    const draft = { title: 'Read Scores', price: '4', categoryId: 'ebooks', isDraft: true }
    const { id } = (await (await page.request.post('/api/products', { data: draft })).json()) as { id: string }
    const phone = page.viewportSize()!
    await page.setViewportSize({ width: 1280, height: 560 })
    await page.goto(`/my-products/${id}`)
    const parts = page.getByRole('navigation', { name: 'Parts of this page' })
    const order = ['What you sell', 'File', 'Variants', 'Description', 'Cover', 'Previews']
    await expect(parts.getByRole('link')).toHaveText(order)
    const titles = page.locator('.partanchor h2')
    await expect(titles).toHaveText(order)
    const current = parts.locator('[aria-current=location]')
    await expect(current).toHaveText('What you sell')

    await parts.getByRole('link', { name: 'Description' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Description', exact: true })).toBeInViewport()
    await expect(current).toHaveText('Description')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('region', { name: 'Description', exact: true }).locator(':focus')).toHaveCount(1)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(current).toHaveText('Previews')
    await page.evaluate(() => scrollTo(0, 0))
    await expect(current).toHaveText('What you sell')
    expect(new URL(page.url()).hash).toBe('')

    const kinds = page.getByRole('group', { name: 'What buyers get' })
    await expect(kinds.getByRole('button', { name: /^Files/ })).toHaveAttribute('aria-pressed', 'true')
    await kinds.getByRole('button', { name: /^A course/ }).click()
    await expect(parts.getByRole('link')).toHaveText(['What you sell', 'Course', 'Lessons', ...order.slice(3)])
    await expect(titles).toHaveText(['What you sell', 'Course', 'Lessons', ...order.slice(3)])
    await expect(current).toHaveCount(1)
    await page.setViewportSize(phone)
    await expect(parts).toBeHidden()
    await page.getByLabel('Title', { exact: true }).fill('Read Scores, slowly')
    await page.getByLabel('Title', { exact: true }).press('Enter')
    await expect(page.getByText('Changes saved').first()).toBeVisible()
  },
)
