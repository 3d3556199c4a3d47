import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, listProduct, register, test, untilAnswering, untilStill } from './shop.ts'

// Runs axe without the zoom rule: the specification locks the zoom, and Settings unlock it.
async function judge(page: Page) {
  await untilStill(page)
  expect((await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()).violations).toEqual([])
}

const rows = Array.from({ length: 1000 }, (_, i) => `k${i},Knot ${i},"One, or *two*",${1 + (i % 9)}.50,E-Books`)

test('a seller previews and imports 1,000 products, and a buyer finds the seller page', async ({ page, browser }) => {
  await register(page, 'Marlinspike')
  const title = `Ropes ${crypto.randomUUID().slice(0, 8)}`
  const productId = await listProduct(page, title)
  await page.goto('/my-products')
  await page.getByRole('button', { name: 'Import products' }).click()
  const dialog = page.getByRole('dialog')
  const file = ['id,title,description,price,category', ...rows, 'x,Bad,,free,E-Books'].join('\n')
  await dialog
    .getByLabel('CSV file')
    .setInputFiles({ name: 'knots.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await dialog.getByRole('button', { name: 'Check the file' }).click()
  await expect(dialog.getByText('Row 1,002: price: Price must be a positive number')).toBeVisible()
  await judge(page)
  const start = dialog.getByRole('button', { name: 'Import 1,000 products' })
  await expect(start).toBeDisabled()
  await dialog.getByRole('button', { name: 'Ready (1,000)' }).click()
  await expect(dialog.getByText('Knot 0', { exact: true })).toBeVisible()
  await dialog.getByLabel('Skip the 1 row with errors').check()
  await start.click()
  await expect(dialog.getByText('1,000 drafts added.')).toBeVisible({ timeout: 20_000 })
  await judge(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('1,001 products')).toBeVisible()

  const bio = 'I tie knots.\n<b>By hand.</b>'
  await page.goto(`/product/${productId}`)
  await page.getByRole('link', { name: 'Marlinspike (you)' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Marlinspike' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit' }).click()
  const handle = `knots-${crypto.randomUUID().slice(0, 8)}`
  await page.getByLabel('Address', { exact: true }).fill(handle)
  await page.getByRole('textbox', { name: /^About you/ }).fill(bio)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Seller page saved').first()).toBeVisible()
  await page.getByRole('link', { name: 'Open your page' }).click()
  await expect(page).toHaveURL(`/seller/${handle}`)
  await expect(page.getByLabel('About the seller').getByText('<b>By hand.</b>')).toBeVisible()

  const context = await browser.newContext()
  const buyer = await context.newPage()
  await buyer.goto(`/seller/${handle}`)
  await expect(buyer.getByRole('heading', { level: 1, name: 'Marlinspike' })).toBeVisible()
  await expect(buyer.getByRole('link', { name: 'Sign in to browse' })).toBeVisible()
  await register(buyer)
  await buyer.goto(`/seller/${handle}`)
  await untilAnswering(buyer)
  await expect(buyer.getByRole('heading', { level: 2, name: '1 product', exact: true })).toBeVisible()
  await expect(buyer.getByRole('link', { name: 'Edit' })).toBeHidden()
  await judge(buyer)
  await buyer.getByLabel('Sort').selectOption('price-asc')
  await expect(buyer).toHaveURL(`/seller/${handle}?sort=price-asc`)
  await buyer.getByRole('link', { name: title }).click()
  await expect(buyer.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await buyer.goto('/seller/nobody-has-this-one')
  await expect(buyer.getByRole('heading', { level: 1, name: 'Seller not found' })).toBeVisible()
  await context.close()
})
