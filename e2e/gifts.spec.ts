import type { Page } from '@playwright/test'
import { choose, openReceipt } from './goods.ts'
import { expect, forgive, listProduct, openStaff, payInWindow, press, register, test, watch } from './shop.ts'

/** Sells a card with these codes. Returns its id. */
async function sellCard(seller: Page, title: string, codes: string[]): Promise<string> {
  const { request } = seller
  const made = await request.post('/api/products', {
    data: { title, description: 'For the kiosk.', price: '4', categoryId: 'gift-cards' },
  })
  const { id } = (await made.json()) as { id: string }
  const sent = {
    data: codes.join('\n'),
    headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' },
  }
  const added = await request.post(`/api/products/${id}/codes`, sent)
  expect({ status: added.status(), text: await added.text() }).toMatchObject({ status: 200 })
  return id
}

test('a buyer gives a copy by link, and a friend without an account signs up and claims it', async ({
  page: giver,
  browser,
  faults,
}) => {
  const title = `Loaves ${crypto.randomUUID().slice(0, 8)}`
  const seller = await (await browser.newContext()).newPage()
  await register(seller, 'Sally')
  const productId = await listProduct(seller, title)
  await seller.context().close()

  await register(giver, 'Ada')
  await giver.request.post('/api/cart', { data: { productId, quantity: 2 } })
  await giver.goto('/cart')
  await expect(giver.getByText('One copy is yours. The other is a gift')).toBeVisible()
  await payInWindow(giver, press(/^Pay/))
  await expect(giver.getByText('Order placed!').first()).toBeVisible()
  await giver.goto('/orders')
  await giver
    .getByRole('link', { name: /^View Details/ })
    .first()
    .click()
  await expect(giver.getByText('One is yours. 1 copy to give away.')).toBeVisible()
  await giver.getByRole('button', { name: `Give ${title}` }).click()
  const dialog = giver.getByRole('dialog')
  await dialog.getByRole('button', { name: 'As a link' }).click()
  await dialog.getByLabel('Their name').fill('Noor')
  await dialog.getByLabel('Your note').fill('Start with the second loaf: www.bread.example')
  await dialog.getByRole('button', { name: 'Make the gift' }).click()
  await expect(dialog.getByText('Leave web addresses out.')).toBeVisible()
  forgive(faults, /status of 400/)
  await dialog.getByLabel('Your note').fill('Start with the second loaf.')
  const preview = dialog.getByRole('region', { name: 'What your friend sees' })
  await expect(preview).toContainText(/Ada.* sent Noor a gift/)
  await expect(preview).toContainText(`${title}Paid for.“Start with the second loaf.”`)
  await dialog.getByRole('button', { name: 'Increase copies to give' }).click()
  await expect(preview).toContainText('2 copies. Paid for.')
  await dialog.getByRole('button', { name: 'Decrease copies to give' }).click()
  await dialog.getByRole('button', { name: 'Make the gift' }).click()
  const link = await dialog.getByLabel('Link').inputValue()
  await expect(dialog.getByRole('button', { name: /^(Copy|Share) link$/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await giver.getByRole('button', { name: `Gifts of ${title}` }).click()
  await expect(dialog.getByText('Gift for Noor')).toBeVisible()
  await expect(dialog.getByText('Not claimed yet')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()

  const friend = await (await browser.newContext()).newPage()
  watch(friend, faults)
  const path = new URL(link).pathname
  await friend.goto(path)
  await expect(friend.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(friend.getByText('Ada sent Noor a gift')).toBeVisible()
  await expect(friend.getByText('“Start with the second loaf.”')).toBeVisible()
  const claim = friend.getByRole('link', { name: 'Claim your gift' })
  expect(await claim.getAttribute('href')).toContain(encodeURIComponent(path))
  await claim.click()
  await expect(friend).toHaveURL(/\/api\/login\/sign-up/)
  await register(friend, 'Noor')
  await friend.goto(path)
  await friend.getByRole('button', { name: 'Claim your gift' }).click()
  await expect(friend).toHaveURL(/\/orders\/[\da-f-]{36}/)
  await expect(friend.getByRole('button', { name: `Download ${title}` }).first()).toBeVisible()
  const order = friend.url()
  await friend.goto('/library')
  await expect(friend.getByRole('button', { name: `Download ${title}` })).toBeVisible()
  await friend.goto(path)
  await expect(friend.getByText('You have claimed this gift.')).toBeVisible()

  const late = await (await browser.newContext()).newPage()
  await late.goto(path)
  await expect(late.getByText('Already claimed')).toBeVisible()
  await late.context().close()

  // staff review the refund of a claimed gift, and both open pages show the refund
  await giver.reload()
  await choose(giver, 'Ask for a refund')
  const refund = giver.getByRole('dialog', { name: 'Ask for a refund' })
  await expect(refund.getByText(/^Noor claimed 1 copy, so we look at it first\./)).toBeVisible()
  await expect(refund.getByText('A refund takes it away from Noor.')).toBeVisible()
  await refund.getByLabel(`Copies of ${title}`).selectOption('1 of 2')
  await expect(refund.getByRole('button', { name: /^Refund \$/ })).toBeVisible()
  await refund.getByLabel(`Copies of ${title}`).selectOption('2 of 2')
  await refund.getByLabel('Why?').selectOption('Bought by mistake')
  await refund.getByRole('button', { name: 'Send request' }).click()
  await expect(refund).toBeHidden()
  await friend.goto(order)
  const goods = friend.getByRole('group', { name: 'Your goods' })
  await expect(goods.getByRole('button', { name: `Download ${title}` })).toBeVisible()
  const staff = await openStaff(browser)
  await staff.goto(new URL(giver.url()).pathname.replace('/orders/', '/admin/orders/'))
  await staff.getByRole('button', { name: 'Refund', exact: true }).click()
  const refunding = staff.getByRole('dialog', { name: 'Refund' })
  await refunding.getByLabel('Reason').fill('bought by mistake')
  await refunding.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(refunding.getByText(/was refunded\.$/)).toBeVisible()
  await staff.context().close()
  await expect(goods.getByText('Taken back')).toBeVisible()
  await expect(friend.getByText(/^Its payment was refunded to Ada.* You paid nothing\.$/)).toBeVisible()
  await expect(friend.getByText('Download')).toHaveCount(0)
  await expect(giver.getByRole('article').getByText('refunded', { exact: true })).toBeVisible()
  await friend.context().close()
})

test('a buyer reports a bad code, the seller replaces it, and then the stock is used up', async ({
  page: seller,
  browser,
  faults,
}) => {
  await register(seller, 'Sally')
  const title = `Kiosk ${crypto.randomUUID().slice(0, 8)}`
  const codes = [1, 2].map((n) => `KIOSK${n}-${crypto.randomUUID().slice(0, 8)}`)
  const productId = await sellCard(seller, title, codes)

  const buyer = await (await browser.newContext()).newPage()
  watch(buyer, faults)
  await register(buyer, 'Bea')
  await buyer.request.post('/api/cart', { data: { productId, quantity: 1 } })
  await buyer.goto('/cart')
  await payInWindow(buyer, press(/^Pay/))
  await expect(buyer.getByText('Order placed!').first()).toBeVisible()
  const sheet = buyer.getByRole('dialog', { name: title })
  const reveal = async () => {
    await buyer.getByRole('button', { name: `Show code ${title}` }).click()
    await sheet.getByRole('button', { name: 'Reveal' }).click()
  }
  await reveal()
  await expect(sheet.getByText(/^KIOSK\d-/)).toBeVisible()
  // the codes of one list are sold in any order
  const bad = (await sheet.getByText(/^KIOSK\d-/).textContent())!
  const good = codes.find((code) => code !== bad)!
  await choose(buyer, 'Report a bad code', 'More for this code')
  await sheet.getByLabel('What is wrong with it?').selectOption('It isn’t accepted')
  await sheet.getByLabel('What happened?').fill('The till refused it.')
  await sheet.getByRole('button', { name: 'Send report' }).click()
  await expect(sheet.getByText('You reported a code. The seller answers by')).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).click()

  await seller.goto('/bad-codes')
  const found = seller.getByRole('article').filter({ hasText: title })
  await expect(found.getByText('The till refused it.')).toBeVisible()
  await expect(seller.locator('main')).not.toContainText(bad)
  await found.getByRole('button', { name: 'Give another code' }).click()
  await seller
    .getByRole('dialog', { name: 'Give another code?' })
    .getByRole('button', { name: 'Give another code' })
    .click()
  await expect(seller.getByText('Another code is with the buyer').first()).toBeVisible()
  await expect(seller.getByText('No open reports')).toBeVisible()

  await buyer.goto('/orders')
  await buyer
    .getByRole('link', { name: /^View Details/ })
    .first()
    .click()
  await expect(buyer.getByText('You reported a code, and it was replaced.')).toBeVisible()
  await reveal()
  await expect(sheet.getByText(good)).toBeVisible()
  await expect(sheet.getByText(bad)).toBeHidden()
  await sheet.getByRole('button', { name: 'Done' }).click()
  // the replacement was the last code
  await expect
    .poll(
      async () =>
        ((await (await buyer.request.get(`/api/products/${productId}`)).json()) as { isOutOfStock: boolean })
          .isOutOfStock,
    )
    .toBe(true)
  await openReceipt(buyer)
  await buyer.getByRole('button', { name: 'Buy again' }).click()
  await expect(buyer.getByText(`No longer for sale: “${title}”.`).first()).toBeVisible()
  await buyer.goto(`/product/${productId}`)
  await expect(buyer.getByText('Sold out')).toBeVisible()
  await buyer.context().close()
})
