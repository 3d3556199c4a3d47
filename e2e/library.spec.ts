import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, fillCart, forgive, listProduct, ONCE, payInWindow, press, register, signOut, test } from './shop.ts'

test.use({ serviceWorkers: 'allow' })

const headers = { origin: '' }

/** Adds a second file to a product of the member. */
async function addFile(page: Page, productId: string, name: string, text: string) {
  const { request } = page.context()
  const { uploadURL } = (await (await request.post('/api/objects/upload', { data: {}, headers })).json()) as {
    uploadURL: string
  }
  const put = { data: Buffer.from(text), headers: { ...headers, 'content-type': 'text/plain', 'x-file-name': name } }
  expect((await request.put(uploadURL, put)).ok()).toBe(true)
  const data = { digitalFileURL: uploadURL, isAnother: true }
  expect((await request.put(`/api/products/${productId}/files`, { data, headers })).ok()).toBe(true)
}

const keptSizes = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('kept/'))
    const kept = await Promise.all(names.map((name) => caches.open(name)))
    const answers = (await Promise.all(kept.map((cache) => cache.matchAll()))).flat()
    return Promise.all(answers.map(async (answer) => (await answer.blob()).size))
  })

test(
  'a buyer searches the library, archives and undoes, downloads all files and stores one on the device',
  { tag: ONCE },
  async ({ page, context, browser, baseURL, faults }) => {
    headers.origin = baseURL!
    const title = `Loops ${crypto.randomUUID().slice(0, 8)}`
    const seller = await (await browser.newContext()).newPage()
    await register(seller, 'Marlinspike')
    const productId = await listProduct(seller, title)
    await addFile(seller, productId, 'second.txt', 'The second file.')
    await seller.context().close()

    await register(page)
    await fillCart(page, title)
    await fillCart(page, 'Salt and Time')
    await page.goto('/cart')
    await payInWindow(page, press(/^Pay/))
    await expect(page.getByText('Order placed!').first()).toBeVisible()
    await page.goto('/orders')
    await page.getByRole('link', { name: 'Library' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
    await expect(page.getByText('2 things you own')).toBeVisible()

    const things = page.locator('.lib > li')
    await page.getByLabel('Search your library').fill('salt')
    await expect(things).toHaveCount(1)
    await expect(page).toHaveURL('/library?q=salt')
    await page.getByLabel('Search your library').fill('')
    await page.getByRole('button', { name: 'More for Salt and Time' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await expect(things).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(things).toHaveCount(2)

    // downloads both files, as one ZIP and one by one
    await page.getByRole('button', { name: `Download ${title}` }).click()
    await expect(dialog.getByText('SHA-256')).toHaveCount(2)
    const zip = page.waitForEvent('download')
    await dialog.getByRole('button', { name: /^Download all/ }).click()
    const bytes = readFileSync(await (await zip).path()).toString('latin1')
    expect(bytes).toContain('The second file.')
    expect(bytes).toContain('A short text.')

    // the service worker controls the page from its second visit
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await page.getByRole('button', { name: `More for ${title}` }).click()
    await dialog.getByRole('button', { name: 'Keep second.txt on this device' }).click()
    await expect(dialog.getByRole('button', { name: 'Remove second.txt from this device' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('16 B kept on this device')).toBeVisible()
    expect(await keptSizes(page)).toContain(16)

    await context.setOffline(true)
    await page.goto('/library?show=kept')
    await expect(things).toHaveCount(1)
    await page.getByRole('button', { name: `More for ${title}` }).click()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save a copy' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe('The second file.')
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await signOut(page)
    await expect.poll(() => keptSizes(page)).toEqual([])
    forgive(faults, /ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  },
)
