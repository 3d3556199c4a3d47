import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { closeUploader, expect, forgive, signIn, signOut, signUp, test } from './shop.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add Product' })

async function openForm(page: Page) {
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  await expect(dialogOf(page)).toBeVisible()
}

test('the price accepts a decimal comma and refuses other texts with a reason', async ({ page }) => {
  await signUp(page)
  await openForm(page)
  const dialog = dialogOf(page)
  const price = dialog.getByLabel(/Price/)
  await dialog.getByLabel('Title').fill(`Comma ${randomBytes(4).toString('hex')}`)
  await dialog.getByLabel('Category').selectOption({ label: 'E-Books' })
  await expect(price).toHaveAttribute('inputmode', 'decimal')
  for (const [typed, reason] of [
    ['0', 'Price must be a positive number'],
    ['0.001', 'Price can have up to two decimals'],
    ['1e3', 'Write the price in digits with a point, like 12.50'],
    ['-3', 'Price must be a positive number'],
    ['12.505', 'Price can have up to two decimals'],
    ['1,000,000.00', 'Price can be at most $999,999.99'],
  ] as const) {
    await price.fill(typed)
    await dialog.getByRole('button', { name: /^create/i }).click()
    await expect(dialog.getByText(reason)).toBeVisible()
    await expect(price).toHaveValue(typed)
  }
  await price.fill('12,50')
  await price.press('ArrowUp')
  await expect(price).toHaveValue('12.51')
  await price.fill('12,50')
  await price.blur()
  await expect(price).toHaveValue('12.50')
  await price.fill('12,50')
  const created = page.waitForResponse((response) => response.request().method() === 'POST')
  await dialog.getByRole('button', { name: /^create/i }).click()
  expect(((await (await created).json()) as { price: string }).price).toBe('12.50')
})

test('a draft survives the end of the session, can be cleared, and is removed at sign-out', async ({
  page,
  context,
}) => {
  const account = await signUp(page)
  await openForm(page)
  await dialogOf(page).getByLabel('Title').fill('A long work')
  await dialogOf(page)
    .getByLabel(/Description/)
    .fill('Hours of typing.')
  await dialogOf(page).getByLabel(/Price/).fill('7,5')
  await dialogOf(page).getByLabel('Category').selectOption({ label: 'E-Books' })
  await context.clearCookies()
  await dialogOf(page)
    .getByRole('button', { name: /^create/i })
    .click()
  await page.waitForURL(/\/api\/login/)
  await signIn(page, account)
  await openForm(page)
  await expect(dialogOf(page).getByText('Draft restored')).toBeVisible()
  await expect(dialogOf(page).getByLabel('Title')).toHaveValue('A long work')
  await expect(dialogOf(page).getByLabel(/Description/)).toHaveValue('Hours of typing.')
  await expect(dialogOf(page).getByLabel('Category')).toHaveValue('ebooks')
  await dialogOf(page).getByRole('button', { name: 'Clear' }).click()
  await expect(dialogOf(page).getByLabel('Title')).toHaveValue('')
  await expect(dialogOf(page).getByText('Draft restored')).toBeHidden()
  await dialogOf(page).getByLabel('Title').fill('Another')
  await page.reload()
  await openForm(page)
  await expect(dialogOf(page).getByLabel('Title')).toHaveValue('Another')
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await signOut(page)
  await signIn(page, account)
  await openForm(page)
  await expect(dialogOf(page).getByLabel('Title')).toHaveValue('')
})

test('the upload rejects a file that is not an image and accepts another', async ({ page, faults }) => {
  await signUp(page)
  await openForm(page)
  await dialogOf(page).getByLabel('Title').fill('Pictured')
  await dialogOf(page).getByRole('button', { name: /image/i }).click()
  await choose(page, { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('This is text.') })
  await expect(
    page.getByText(/The image must be a PNG, JPEG, GIF, WebP or AVIF file\..*choose another/).first(),
  ).toBeVisible()
  await expect(page.getByText('Image uploaded successfully!')).toHaveCount(0)
  const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#2740b5' } })
    .png()
    .toBuffer()
  await choose(page, { name: 'true.png', mimeType: 'image/png', buffer })
  await expect(page.getByText('Image uploaded successfully!').first()).toBeVisible()
  await closeUploader(page)
  await expect(dialogOf(page).getByLabel('Title')).toHaveValue('Pictured')
  // the created product has used the picture, so the next form starts empty
  await dialogOf(page).getByLabel(/Price/).fill('5.00')
  await dialogOf(page).getByLabel('Category').selectOption({ label: 'E-Books' })
  await dialogOf(page)
    .getByRole('button', { name: /^create/i })
    .click()
  await expect(page).toHaveURL(/\/my-products\/[0-9a-f-]{36}$/)
  await page.goto('/')
  await openForm(page)
  await expect(dialogOf(page).getByText('Draft restored')).toBeHidden()
  await expect(dialogOf(page).getByRole('button', { name: /true\.png/ })).toHaveCount(0)
  // The browser logs the refusal and the unreadable preview.
  forgive(faults, /status of 415|'blob:/)
})

test('the dialog shows the size limit, and a phone offers its camera', async ({ page, isMobile }) => {
  await signUp(page)
  const stated = page.locator('html[data-max-file-mb="100"]')
  await expect(stated).toHaveCount(1)
  await page.evaluate(() => (document.documentElement.dataset.maxFileMb = '3'))
  await openForm(page)
  await expect(dialogOf(page).getByText('One file, up to 3 MB')).toBeVisible()
  await dialogOf(page)
    .getByRole('button', { name: /Digital file/ })
    .click()
  await expect(page.getByRole('tab', { name: isMobile ? 'Record Video' : 'Camera', exact: true })).toBeVisible()
  const input = page.locator('input.uppy-Dashboard-input[type=file]').first()
  await input.setInputFiles({ name: 'four.bin', mimeType: 'application/zip', buffer: Buffer.alloc(4 * 1024 * 1024) })
  await expect(page.getByText('four.bin exceeds maximum allowed size of 3 MB').first()).toBeVisible()
})

test('Back closes one dialog after another and then leaves the page', async ({ page }) => {
  await signUp(page)
  await page.getByRole('link', { name: 'Shop', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'All Categories' })).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await openForm(page)
  await dialogOf(page).getByRole('button', { name: /image/i }).click()
  const uploader = page.getByRole('dialog', { name: 'Product image' })
  await expect(uploader).toBeVisible()
  await page.goBack()
  await expect(uploader).toBeHidden()
  await expect(dialogOf(page)).toBeVisible()
  await page.goBack()
  await expect(dialogOf(page)).toBeHidden()
  expect(new URL(page.url()).pathname).toBe('/')
  // A dialog closed by Escape leaves no entry in the history.
  await openForm(page)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await expect.poll(() => page.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs ?? 0)).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'All Categories' })).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
})

async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await page.locator('input.uppy-Dashboard-input[type=file]').first().setInputFiles(file)
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
}

test('Add Product asks for the kind first, My Products continues an unfinished product, and the new product opens', async ({
  page,
}) => {
  await signUp(page)
  await openForm(page)
  const title = `Course ${randomBytes(4).toString('hex')}`
  const dialog = dialogOf(page)
  await dialog.getByText('A course').click()
  await expect(dialog.getByRole('radio', { name: /^A course/ })).toBeChecked()
  await expect(dialog.getByText('You add the lessons on the next page.')).toBeVisible()
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel(/Price/).fill('12')
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/unfinished-products/'),
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect((await saved).status()).toBe(200)
  await page.evaluate(() => sessionStorage.clear())

  await page.goto('/my-products')
  await page.getByRole('button', { name: `Continue ${title}` }).click()
  await expect(dialog.getByLabel('Title')).toHaveValue(title)
  await expect(dialog.getByRole('radio', { name: /^A course/ })).toBeChecked()
  await dialog.getByLabel('Category').selectOption({ label: 'E-Books' })
  await dialog.getByRole('button', { name: /^create/i }).click()
  await expect(page).toHaveURL(/\/my-products\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${title}` })).toBeFocused()
  await expect(page.getByText('Add a lesson to put it on sale.').first()).toBeVisible()
  const kinds = page.getByRole('group', { name: 'What buyers get' })
  await expect(kinds.getByRole('button', { name: 'Course' })).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/my-products')
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: `Continue ${title}` })).toHaveCount(0)
})

test('five files at once become a draft each, or one product', async ({ page }) => {
  await signUp(page)
  const names = ['One', 'Two', 'Three', 'Four', 'Five']
  const addMany = async () => {
    await openForm(page)
    await dialogOf(page).getByRole('button', { name: 'Add many at once' }).click()
    await page
      .locator('input.uppy-Dashboard-input[type=file]:not([webkitdirectory])')
      .first()
      .setInputFiles(
        names.map((name) => ({ name: `${name}_song.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) })),
      )
    await page
      .getByRole('button', { name: /^Upload/ })
      .first()
      .click()
    await closeUploader(page)
    await expect(dialogOf(page).getByRole('list', { name: 'Many at once' }).getByRole('listitem')).toHaveCount(5)
    await dialogOf(page).getByLabel(/Price/).fill('3')
    await dialogOf(page).getByLabel('Category').selectOption({ label: 'Audio' })
  }
  await addMany()
  await dialogOf(page).getByText('5 drafts').click()
  await dialogOf(page).getByRole('button', { name: 'Create 5 drafts' }).click()
  await expect(page.getByText('5 drafts saved').first()).toBeVisible()
  await expect(page).toHaveURL('/my-products?status=draft')
  for (const name of names) await expect(page.getByRole('link', { name: `${name} song`, exact: true })).toBeVisible()

  await addMany()
  await dialogOf(page).getByLabel('Title').fill('Five songs')
  await dialogOf(page).getByRole('button', { name: 'Create Product' }).click()
  await expect(page).toHaveURL(/\/product\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Five songs' })).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const { moreFiles } = (await (await page.request.get(`/api/products/${id}`)).json()) as { moreFiles: string[] }
  expect(moreFiles).toHaveLength(4)
})
