import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { closeUploader, expect, listProduct, register, test, untilAnswering, untilStill } from './shop.ts'

// Runs axe without the zoom rule: the specification locks the zoom, and Settings unlock it.
async function judge(page: Page) {
  await untilStill(page)
  expect((await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()).violations).toEqual([])
}

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()
const groundOf = (page: Page) =>
  page.getByLabel('About the seller').evaluate((head) => getComputedStyle(head).backgroundColor)
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done(sum), 300)
      }),
  )

async function upload(page: Page) {
  await page.getByRole('button', { name: 'Add a picture' }).click()
  const buffer = await sharp({ create: { width: 1500, height: 500, channels: 3, background: '#2740b5' } })
    .png()
    .toBuffer()
  await page
    .locator('input.uppy-Dashboard-input[type=file]')
    .first()
    .setInputFiles({ name: 'header.png', mimeType: 'image/png', buffer })
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
  await expect(page.getByRole('button', { name: 'Change picture', includeHidden: true })).toBeAttached()
  await closeUploader(page)
}

test('a seller designs the page with a preview, and everybody sees it without a layout shift', async ({
  page,
  browser,
}) => {
  await register(page, 'Ottilie')
  const title = `Atlas ${crypto.randomUUID().slice(0, 8)}`
  await listProduct(page, title)
  await page.goto('/selling/page')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText('Ottilie', { exact: true })).toBeVisible()

  // discards the unsaved values
  const [header, accent] = [0, 1].map((i) => page.locator('input[type=color]').nth(i)) as [
    ReturnType<Page['locator']>,
    ReturnType<Page['locator']>,
  ]
  await header.fill('#ffe066')
  await expect(page.getByText('Text on it is black, with a contrast of')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Text on it is black')).toBeHidden()

  await header.fill('#ffe066')
  await accent.fill('#1a3d7c')
  await upload(page)
  await expect(preview.locator('.maker__picture img')).toHaveAttribute('src', /^blob:/)
  await page.getByRole('button', { name: 'Move Reviews up' }).click()
  await expect(page.getByText('Reviews: 3 of 4')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Move Reviews up' })).toBeFocused()
  await page.getByLabel('Product', { exact: true }).selectOption({ label: title })
  await expect(preview.getByText(title)).toBeVisible()
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByLabel('Name of link 1').fill('Blog')
  await page.getByLabel('Address of link 1').fill('http://example.com/blog')
  await save(page)
  await expect(page.getByText('The address must begin with https://.')).toBeVisible()
  await expect(page.getByLabel('Address of link 1')).toBeFocused()
  await page.getByLabel('Address of link 1').fill('https://example.com/blog')
  await judge(page)
  await save(page)
  await expect(page.getByText('Seller page saved').first()).toBeVisible()

  await page.getByRole('link', { name: 'Open your page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ottilie' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Featured' })).toBeVisible()
  const path = new URL(page.url()).pathname
  await page.reload()
  expect(await groundOf(page)).toBe('rgb(255, 224, 102)')
  expect(await shiftOf(page)).toBeLessThan(0.001)
  await judge(page)
  await page.evaluate(() => (document.documentElement.dataset.mode = 'dark'))
  expect(await groundOf(page)).not.toBe('rgb(255, 224, 102)')
  await judge(page)
  const blog = page.getByRole('link', { name: /^Blog/ })
  await expect(blog).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
  await expect(blog).toHaveAttribute('href', 'https://example.com/blog')

  const context = await browser.newContext()
  const visitor = await context.newPage()
  await visitor.goto(path)
  await expect(visitor.getByRole('link', { name: 'Blog' })).toBeVisible()
  await expect(visitor.locator('article.sent img')).toHaveAttribute('src', /^\/images\/.+\/640\.webp$/)
  await expect(visitor.locator('article.sent img')).toHaveCSS('object-fit', 'cover')
  await judge(visitor)
  await register(visitor)
  await visitor.goto(path)
  await untilAnswering(visitor)
  expect(await groundOf(visitor)).toBe('rgb(255, 224, 102)')
  await context.close()

  await page.goto('/selling/page')
  await page.getByRole('button', { name: 'Reset the design' }).click()
  await expect(preview.locator('.maker__picture')).toHaveCount(0)
  await save(page)
  await expect(page.getByText('Seller page saved').first()).toBeVisible()
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1, name: 'Ottilie' })).toBeVisible()
  await expect(page.locator('.maker')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Blog/ })).toHaveCount(0)
})
