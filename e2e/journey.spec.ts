import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { addToCart, expect, payInWindow, press, register, signIn, signOut, signUpByHand, test } from './shop.ts'

test('one visitor signs up and sells a file; another finds it, pays and downloads the same bytes', async ({
  page,
  browser,
  faults,
}) => {
  const bytes = Buffer.concat([Buffer.from('A field guide, in plain text.\n'), randomBytes(60_000)])
  const image = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#2f6f4f' } })
    .png()
    .toBuffer()
  const title = `Field guide ${randomBytes(4).toString('hex')}`

  await signUpByHand(page, 'Sally')
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  await dialog.getByRole('button', { name: /^create/i }).click()
  await expect(dialog.getByText('Title is required')).toBeVisible()
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel(/Description/).fill('Which bird was that? Sixty pages to know by.')
  await dialog.getByLabel(/Price/).fill('12.50')
  await dialog.getByLabel('Category').selectOption({ label: 'E-Books' })
  await upload(
    page,
    /image/i,
    { name: 'cover.png', mimeType: 'image/png', buffer: image },
    'Image uploaded successfully!',
  )
  await upload(
    page,
    /file/i,
    { name: 'field guide.bin', mimeType: 'application/octet-stream', buffer: bytes },
    'Digital file uploaded successfully!',
  )
  await dialog.getByRole('button', { name: /^create/i }).click()
  await expect(page.getByText('Product created successfully!').first()).toBeVisible()
  await expect(dialog).toBeHidden()
  await signOut(page)

  const context = await browser.newContext()
  const buyer = await context.newPage()
  const account = await register(buyer, 'Bruno')
  await addToCart(buyer, title)
  await buyer.goto('/cart')
  await expect(buyer.getByText('1 item(s) in your cart')).toBeVisible()
  await payInWindow(buyer, press(/^Pay/))
  await expect(buyer).toHaveURL(/\/orders\//)
  await expect(buyer.getByText('completed', { exact: false }).first()).toBeVisible()
  const download = await Promise.all([
    buyer.waitForEvent('download'),
    buyer
      .getByRole('button', { name: /Download/ })
      .first()
      .click(),
  ]).then(([file]) => file)
  expect(download.suggestedFilename()).toBe('field guide.bin')
  const got = readFileSync(await download.path())
  expect(createHash('sha256').update(got).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))

  await signOut(buyer)
  await signIn(buyer, account)
  await buyer.goto('/orders')
  await expect(buyer.getByText('1 order(s)')).toBeVisible()
  expect(faults).toEqual([])
  await context.close()
})

async function upload(
  page: Page,
  button: RegExp,
  file: { name: string; mimeType: string; buffer: Buffer },
  done: string,
) {
  await page.getByRole('dialog', { name: 'Add Product' }).getByRole('button', { name: button }).click()
  await page.locator('input.uppy-Dashboard-input[type=file]').first().setInputFiles(file)
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
  await expect(page.getByText(done).first()).toBeVisible()
}
