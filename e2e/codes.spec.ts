import { choose, openMenu } from './goods.ts'
import { expect, payInWindow, press, register, test, watch } from './shop.ts'

test('a seller adds a code, a buyer reveals it, the card sells out, and a shopper is notified when it is back', async ({
  page: seller,
  browser,
  faults,
}) => {
  await register(seller, 'Sally')
  const title = `Kiosk Card ${crypto.randomUUID().slice(0, 8)}`
  const created = await seller.request.post('/api/products', {
    data: { title, description: 'For the kiosk.', price: '4', categoryId: 'gift-cards' },
  })
  const { id } = (await created.json()) as { id: string }
  await seller.goto('/my-products')
  const row = seller.locator('tr').filter({ hasText: title })
  await expect(row.getByText('Not listed: add at least one code')).toBeVisible()
  await row.getByRole('link', { name: `Add codes to ${title}` }).click()
  const codes = seller.getByRole('region', { name: 'Codes' })
  await expect(codes.getByText('Add at least one code.')).toBeVisible()
  await expect(codes.getByRole('img')).toHaveCount(0)
  await expect(codes.getByRole('button', { name: /^Codes Each/ })).toHaveAttribute('aria-pressed', 'true')
  const CODE = `KIOSK-${crypto.randomUUID().slice(0, 8)}`
  await codes.getByLabel('New codes, one a line').fill(`${CODE}\n${CODE}\n`)
  await codes.getByRole('button', { name: 'Check the list' }).click()
  await expect(codes.getByText('1 code is new. 1 line repeats another.')).toBeVisible()
  await expect(codes.getByText('Line 2 repeats line 1.')).toBeVisible()
  await codes.getByRole('button', { name: 'Add one code' }).click()
  await expect(codes.getByText('One code is for sale.')).toBeVisible()
  await expect(codes.getByRole('img', { name: '1 code: 1 for sale.' })).toBeVisible()
  await expect(codes.getByRole('list', { name: 'Codes' })).not.toContainText(CODE)
  await expect(seller.getByText('Listed', { exact: true })).toBeVisible()

  const buyer = await (await browser.newContext()).newPage()
  watch(buyer, faults)
  await register(buyer, 'Bea')
  await buyer.request.post('/api/cart', { data: { productId: id, quantity: 1 } })
  await buyer.goto('/cart')
  await payInWindow(buyer, press(/^Pay/))
  await expect(buyer.getByText('Order placed!').first()).toBeVisible()
  await buyer.getByRole('button', { name: `Show code ${title}` }).click()
  const sheet = buyer.getByRole('dialog', { name: title })
  await expect(sheet.getByText(CODE)).toBeHidden()
  await sheet.getByRole('button', { name: 'Reveal' }).click()
  await expect(sheet.getByText(CODE)).toBeVisible()
  await expect(sheet.getByText(CODE)).toHaveCSS('font-size', '22px')
  await expect(sheet.getByRole('button', { name: 'Copy code' })).toHaveText('Copy')
  await openMenu(buyer, 'More for this code')
  await expect(sheet.getByRole('button', { name: 'Report a bad code' })).toBeVisible()
  await buyer.keyboard.press('Escape')
  await expect(sheet.getByRole('button', { name: 'Report a bad code' })).toBeHidden()
  await expect(sheet.getByText(CODE)).toBeVisible()
  await choose(buyer, 'QR code', 'More for this code')
  await expect(sheet.getByRole('img', { name: 'The code as a QR code' })).toBeVisible()
  await sheet.getByRole('checkbox', { name: 'I have used it' }).check()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(buyer.getByText(CODE)).toBeHidden()

  const isOut = async () =>
    ((await (await buyer.request.get(`/api/products/${id}`)).json()) as { isOutOfStock: boolean }).isOutOfStock
  await expect.poll(isOut).toBe(true)
  await buyer.goto(`/product/${id}`)
  await expect(buyer.getByText('Sold out')).toBeVisible()
  await expect(buyer.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
  await buyer.getByRole('button', { name: 'Tell me when it’s back' }).click()
  await expect(buyer.getByText('We’ll tell you once when it’s back.')).toBeVisible()

  await codes.getByLabel('New codes, one a line').fill(`${CODE}-2`)
  await codes.getByRole('button', { name: 'Check the list' }).click()
  await codes.getByRole('button', { name: 'Add one code' }).click()
  await expect(seller.getByText('One code added').first()).toBeVisible()
  const mails = async () => (await buyer.request.get('/dev/mail')).text()
  await expect.poll(mails).toContain(`“${title}” is back in stock`)
  expect(await mails()).not.toContain(CODE)
  await buyer.reload()
  await expect(buyer.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
  await buyer.context().close()
})
