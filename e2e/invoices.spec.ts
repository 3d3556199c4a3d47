import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { openReceipt } from './goods.ts'
import { demoAccount, enter, expect, findProduct, openStaff, test } from './shop.ts'

async function download(page: Page, press: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return {
    name: file.suggestedFilename(),
    head: readFileSync(await file.path())
      .subarray(0, 8)
      .toString(),
  }
}

test('a buyer gets an invoice with a VAT ID, and a credit note after a refund', async ({ page, browser }) => {
  await enter(page, demoAccount('shopper'))
  const book = await findProduct(page, 'Salt and Time')
  const placed = await page.request.post('/api/orders', {
    data: {
      items: [{ productId: book.id, quantity: 1, price: book.price }],
      ...{ total: book.price, paymentMethod: 'paypal', paymentId: crypto.randomUUID(), source: 'product' },
    },
  })
  const { id, status } = (await placed.json()) as { id: string; status: string }
  expect(status).toBe('completed')
  await page.goto(`/orders/${id}`)
  const open = page.getByRole('button', { name: 'Invoice', exact: true })
  await openReceipt(page)
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Invoice' })
  await dialog.getByLabel('Company').fill('Ελιά & Łódź Ltd')
  await dialog.getByLabel('Address').fill('Harbour Street 1\n20457 Hamburg')
  await dialog.getByLabel('VAT ID').fill('DE12')
  await dialog.getByRole('button', { name: 'Download invoice' }).click()
  await expect(dialog.getByText('That is not the form of a VAT ID, such as DE136695976.')).toBeVisible()
  await expect(dialog.getByLabel('VAT ID')).toBeFocused()
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze()
  expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  await dialog.getByLabel('VAT ID').fill('de 136 695 976')
  const invoice = await download(page, () => dialog.getByRole('button', { name: 'Download invoice' }).click())
  expect(invoice).toEqual({ name: expect.stringMatching(/^INV-\d{4}-\d{6}\.pdf$/), head: '%PDF-1.7' })
  const documents = dialog.getByRole('list', { name: 'Documents' })
  await expect(documents.getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByLabel('Company')).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Correct the details' }).click()
  await expect(dialog.getByLabel('VAT ID')).toHaveValue('DE136695976')
  await dialog.getByLabel('Company').fill('Olive Ltd')
  const corrected = await download(page, () => dialog.getByRole('button', { name: 'Issue corrected invoice' }).click())
  expect(corrected.name).not.toBe(invoice.name)
  await expect(documents.getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(open).toBeFocused()

  const staff = await openStaff(browser)
  const asked = { amount: '1.00', left: book.price, reason: 'x', isUnused: false, isCodeSeen: false }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await staff.request.post(`/api/admin/orders/${id}/refunds`, { data: asked, headers })
  await staff.context().close()
  await expect
    .poll(async () => ((await (await page.request.get(`/api/orders/${id}`)).json()) as { refunds: [] }).refunds.length)
    .toBe(1)
  await open.click()
  const waiting = dialog.getByRole('list', { name: 'Refunds without a credit note' })
  const note = await download(page, () => waiting.getByRole('button', { name: /^PDF of credit note/ }).click())
  expect(note).toEqual({ name: expect.stringMatching(/^CN-\d{4}-\d{6}\.pdf$/), head: '%PDF-1.7' })
  await expect(documents.getByRole('listitem')).toHaveCount(4)
  await expect(dialog.getByRole('button', { name: 'Correct the details' })).toHaveCount(0)
  const after = await new AxeBuilder({ page }).include('[role=dialog]').analyze()
  expect(after.violations.map(({ id: rule, nodes }) => `${rule}: ${nodes[0]?.html}`)).toEqual([])
})
