import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { closeUploader, expect, placeUnpaid, register, test } from './shop.ts'

const WORD = 'W'.repeat(200)
const WIDTHS = [320, 390, 1280]

/** Fails if the page scrolls sideways at any width, and shows the widest elements. */
async function expectNoOverhang(page: Page, what: string) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const over = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return []
      const wide = [...document.body.querySelectorAll('*')].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 1,
      )
      return wide.slice(-12).map(({ tagName, className }) => `${tagName}.${String(className)}`)
    })
    expect.soft(over, `${what} at ${width} px`).toEqual([])
  }
}

test('a word of 200 letters fits every page as title, name, search and file name', async ({ page }) => {
  await register(page, WORD.slice(0, 50))
  const created = await page.request.post('/api/products', {
    data: { title: WORD, description: WORD, price: '3.00', categoryId: 'ebooks' },
  })
  const { id } = (await created.json()) as { id: string }
  const seen = async (path: string, isThere: () => Promise<void>) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(path)
    await isThere()
    await expectNoOverhang(page, path.slice(0, 20))
  }
  const says = (text: string) => async () => expect(page.getByText(text).first()).toBeAttached()
  await seen(`/product/${id}`, says(WORD))
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: /Digital file/ }).click()
  const input = page.locator('input.uppy-Dashboard-input[type=file]').first()
  await input.setInputFiles({
    name: `${WORD}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('A word.\n'.repeat(40)),
  })
  await expect(page.getByRole('button', { name: /^Upload/ }).first()).toBeVisible()
  await expectNoOverhang(page, 'uploader')
  await page.setViewportSize({ width: 390, height: 800 })
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
  await expect(page.getByText('Your product is listed').first()).toBeVisible()
  await seen(`/product/${id}`, says(WORD))

  await page.request.put(`/api/wishlist/${id}`, { data: {} })
  await page.request.post('/api/cart', { data: { productId: id, quantity: 4 } })
  await seen('/', says('Featured Products'))
  await seen('/wishlist', says('My Wishlist'))
  await seen('/my-products', says(WORD))
  await seen('/orders?tab=sales', says('Sales'))
  await seen('/cart', says('One copy is yours. Each other is a gift'))
  await seen(`/categories?q=${WORD}`, says(WORD))
  await seen(`/categories?q=${'a'.repeat(40)}`, says('No products found'))
  await seen(`/help?q=${WORD}`, says('Help'))
  await seen('/profile', says(WORD.slice(0, 50)))
  await seen('/settings', says('Settings'))

  await page.setViewportSize({ width: 390, height: 800 })
  await placeUnpaid(page)
  await expect(page.getByRole('heading', { name: 'Order details' })).toBeVisible()
  await expectNoOverhang(page, 'order details')
  await seen('/orders', says('1 order(s)'))

  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  await dialog.getByLabel('Title').fill(WORD)
  await dialog.getByRole('button', { name: /image/i }).click()
  const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#2740b5' } })
    .png()
    .toBuffer()
  await page
    .locator('input.uppy-Dashboard-input[type=file]')
    .first()
    .setInputFiles({ name: `${WORD}.png`, mimeType: 'image/png', buffer })
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
  await closeUploader(page)
  await expect(dialog.getByText(/W{50}.*\.png/)).toBeAttached()
  await expectNoOverhang(page, 'add product')
})
