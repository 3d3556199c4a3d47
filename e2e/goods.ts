import type { Page } from '@playwright/test'
import { expect, fillCart, payInWindow, press, register, test } from './shop.ts'

export type GoodsFile = { name: string; type: string; data: Buffer }

/** Sells a file as a new member, and returns the product's title. */
export async function sell(page: Page, file: GoodsFile): Promise<string> {
  await register(page, 'Petra')
  const { request } = page.context()
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin }
  const title = `Leaflet ${crypto.randomUUID().slice(0, 8)}`
  const made = await request.post('/api/products', { data: { title, price: '5.00', categoryId: 'ebooks' }, headers })
  const { id } = (await made.json()) as { id: string }
  const { uploadURL } = (await (await request.post('/api/objects/upload', { data: {}, headers })).json()) as {
    uploadURL: string
  }
  const put = { data: file.data, headers: { ...headers, 'content-type': file.type, 'x-file-name': file.name } }
  expect((await request.put(uploadURL, put)).ok()).toBe(true)
  const bound = await request.put(`/api/products/${id}/files`, { data: { digitalFileURL: uploadURL }, headers })
  expect(bound.ok(), await bound.text()).toBe(true)
  return title
}

export async function buy(page: Page, ...titles: string[]) {
  for (const title of titles) await fillCart(page, title)
  await page.goto('/cart')
  const summary = page.getByRole('complementary', { name: 'Order Summary' })
  await payInWindow(page, press(/^Pay/), summary.getByRole('button', { name: 'Pay with PayPal' }))
  await expect(page.getByText('Order placed!').first()).toBeVisible()
}

/** Opens the menu of the goods of an order, or with `more` another menu. */
export const openMenu = (page: Page, more: string | RegExp = /^More for/) =>
  page.getByRole('button', { name: more }).first().click()

export async function choose(page: Page, action: string | RegExp, more?: string | RegExp) {
  await openMenu(page, more)
  await page
    .getByRole('group', { name: /^More for/ })
    .getByRole('button', { name: action })
    .click()
}

/** Opens the receipt of an order that shows its goods first. */
export const openReceipt = (page: Page) =>
  page.getByRole('heading', { name: 'Receipt' }).getByRole('button', { expanded: false }).click()

/** Opens an entry of the contents of a book. On phones they are in a dialog. */
export async function openEntry(page: Page, number: number) {
  const contents = page.getByRole('navigation', { name: 'Contents' })
  const opener = page.getByRole('button', { name: 'Contents', exact: true })
  await expect(contents.or(opener).first()).toBeVisible()
  if (await opener.isVisible()) await opener.click()
  await contents
    .getByRole('button')
    .nth(number - 1)
    .click()
}

/** Opens an item of the library with the button of its row. */
export async function open(page: Page, title: string) {
  await page.goto('/library')
  await page.getByRole('link', { name: new RegExp(`^(Open course|Read|Listen|Resume) ${title}`) }).click()
}
