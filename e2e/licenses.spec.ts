import type { Page } from '@playwright/test'
import { demoAccount, enter, expect, findProduct, listProduct, register, test } from './shop.ts'

/** Makes a product sell licence keys for two devices. Returns a token for its software. */
async function sellKeys(page: Page, id: string): Promise<string> {
  await page.goto(`/my-products/${id}`)
  await page.getByRole('button', { name: 'Licence keys' }).click()
  const terms = page.getByRole('region', { name: 'Licence keys' })
  await terms.getByLabel('Prefix').fill('grid1')
  await terms.getByRole('button', { name: 'Save terms' }).click()
  await expect(terms.getByText('Use 2 to 8 letters from A to Z')).toBeVisible()
  await expect(terms.getByLabel('Prefix')).toBeFocused()
  await terms.getByLabel('Prefix').fill('grid')
  await terms.getByLabel('Devices for each seat').fill('2')
  await terms.getByRole('button', { name: 'Save terms' }).click()
  await expect(page.getByText('Terms saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your token' })
  const token = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('list', { name: 'Tokens' })).toContainText(`••••${token.slice(-4)}`)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Licence keys' }).getByLabel('Prefix')).toHaveValue('GRID')
  return token
}

test('software runs on two devices, and on a third after one is removed', async ({ page, browser }) => {
  const seller = await (await browser.newContext()).newPage()
  await register(seller, 'Sally')
  const title = `Grid Notes ${crypto.randomUUID().slice(0, 8)}`
  const token = await sellKeys(seller, await listProduct(seller, title))

  await enter(page, demoAccount('shopper'))
  const { id: productId, price } = await findProduct(page, title)
  await page.goto(`/product/${productId}`)
  await expect(page.getByText('Licence key, 2 devices')).toBeVisible()
  const items = [{ productId, quantity: 1, price }]
  const paid = { total: price, paymentMethod: 'paypal', paymentId: crypto.randomUUID(), source: 'product' }
  const placed = await page.request.post('/api/orders', { data: { items, ...paid } })
  const order = (await placed.json()) as { id: string; status: string }
  expect(order.status).toBe('completed')
  await page.goto(`/orders/${order.id}`)
  await page.getByRole('button', { name: `Show key ${title}` }).click()
  const sheet = page.getByRole('dialog', { name: title })
  await expect(sheet.getByText('0 of 2 in use')).toBeVisible()
  await expect(sheet.getByRole('status', { name: 'Licence key' })).toHaveText(/^GRID-•{8}-•{8}-•{8}-•{4}\w{4}$/)
  await sheet.getByRole('button', { name: 'Reveal the licence key' }).click()
  await expect(sheet.getByRole('button', { name: 'Copy key' })).toBeVisible()
  const key = await sheet.getByRole('status', { name: 'Licence key' }).innerText()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toHaveCount(0)

  const activate = async (device: string) => {
    const data = { key, fingerprint: `fingerprint of ${device}`.replaceAll(' ', '-'), name: device }
    const answer = await seller.request.post('/api/licenses/activate', {
      data,
      headers: { authorization: `Bearer ${token}` },
    })
    return [answer.status(), ((await answer.json()) as { code?: string }).code]
  }
  expect(await activate('Desk')).toEqual([200, undefined])
  expect(await activate('Laptop')).toEqual([200, undefined])
  expect(await activate('Tablet')).toEqual([409, 'limit_reached'])
  await page.getByRole('button', { name: `Show key ${title}` }).click()
  await expect(sheet.getByText('2 of 2 in use')).toBeVisible()
  await sheet.getByRole('button', { name: 'Remove Desk' }).click()
  await expect(sheet.getByText('1 of 2 in use')).toBeVisible()
  expect(await activate('Tablet')).toEqual([200, undefined])

  // the seller revokes the key by its number
  await seller.reload()
  const keys = seller.getByRole('region', { name: 'Keys sold' })
  await keys.getByLabel('Order number or licence key').fill(key)
  await keys.getByRole('button', { name: 'Find' }).click()
  await expect(keys.getByText('2 of 2 devices')).toBeVisible()
  await keys.getByRole('button', { name: /^Revoke GRID/ }).click()
  const decision = seller.getByRole('dialog', { name: 'Revoke this key?' })
  await decision.getByLabel('Reason').fill('Posted in a forum')
  await decision.getByRole('button', { name: 'Revoke' }).click()
  await expect(keys.getByRole('button', { name: /^Restore GRID/ })).toBeVisible()
  expect(await activate('Desk')).toEqual([403, 'key_refused'])
  await page.reload()
  await page.getByRole('button', { name: `Show key ${title}` }).click()
  await expect(sheet.getByText('Posted in a forum')).toBeVisible()
})
