import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { findRunningEmbedded } from '../src/kit/embedded/embedded.server.ts'
import { choose, openMenu } from './goods.ts'
import { closeUploader, expect, findProduct, openStaff, register, test } from './shop.ts'

type Bought = { id: string; lines: { id: string; productId: string }[] }

/** Buys products at once by API requests, with the payment sandbox. */
async function buy(page: Page, titles: string[]): Promise<Bought> {
  const found = await Promise.all(titles.map((title) => findProduct(page, title)))
  const cents = found.reduce((sum, { price }) => sum + Math.round(Number(price) * 100), 0)
  const items = found.map(({ id: productId }) => ({ productId, quantity: 1 }))
  const data = { amount: (cents / 100).toFixed(2), currency: 'USD', intent: 'capture', items }
  const post = async (path: string, body: object) => {
    const answer = await page.request.post(path, { data: body })
    expect(answer.ok(), `${path}: ${answer.ok() ? '' : await answer.text()}`).toBe(true)
    return answer
  }
  const { id } = (await (await post('/order', data)).json()) as { id: string }
  await post(`/sandbox/paypal/test/orders/${id}/approve`, {})
  const { order } = (await (await post(`/order/${id}/capture`, {})).json()) as { order: Bought }
  return order
}

/** Returns the credentials of the payment sandbox. Its test endpoints require them here. */
async function readAuthorization() {
  const { ownerUrl } = (await findRunningEmbedded(process.env.E2E_DATA_DIR!))!
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ value: string }>(`SELECT value FROM sandbox.keys WHERE name = 'client_secret'`)
  await client.end()
  return `Basic ${Buffer.from(`sandbox-client:${rows[0]!.value}`).toString('base64')}`
}

const read = async (page: Page, id: string) =>
  (await (await page.request.get(`/api/orders/${id}`)).json()) as {
    status: string
    refunds: unknown[]
    dispute: { state: string } | null
    lines: { id: string; delivery: object | null }[]
  }

async function expectAccessible(page: Page) {
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page.locator('.skeleton')).toHaveCount(0)
  const { violations } = await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

test('a buyer refunds an unopened product without staff; staff decline an opened one and refund a line', async ({
  page,
  browser,
}) => {
  await register(page, 'Ada')
  const { id, lines } = await buy(page, ['Salt and Time', 'Glass Rain', 'Bread by Weight'])
  const opened = lines[0]!
  const grant = await page.request.post(`/api/orders/${id}/lines/${opened.id}/download`, { data: {} })
  const { url } = (await grant.json()) as { url: string }
  expect((await page.request.get(url)).ok()).toBe(true)

  await page.goto(`/orders/${id}`)
  await choose(page, 'Ask for a refund', 'More for all')
  const dialog = page.getByRole('dialog', { name: 'Ask for a refund' })
  const choices = dialog.getByRole('checkbox')
  await choices.nth(1).check()
  await expect(dialog.getByText(/goes back to PayPal at once/)).toBeVisible()
  await choices.nth(1).uncheck()
  await choices.nth(0).check()
  await expect(dialog.getByText('You have opened it, so we look at it first.')).toBeVisible()
  await choices.nth(1).check()
  await dialog.getByLabel('Why?').selectOption('mistake')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Refund \$[\d.]+ and ask$/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(async () => (await read(page, id)).refunds).toHaveLength(1)
  await expect(page.getByText('Refund requested')).toBeVisible()

  const staff = await openStaff(browser)
  await staff.goto(`/admin/orders/${id}`)
  await expect(staff.getByRole('region', { name: 'Refunds' })).toContainText('By the buyer, at once')
  await staff.getByLabel('Reason against it').fill('It plays here.')
  await staff.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(page.getByText('We declined your refund: It plays here.')).toBeVisible()

  await staff.getByRole('button', { name: 'Refund', exact: true }).click()
  const refund = staff.getByRole('dialog', { name: 'Refund' })
  await refund.getByRole('button', { name: 'By product' }).click()
  const boxes = refund.getByRole('checkbox')
  await expect(boxes.nth(1)).toBeDisabled()
  await boxes.nth(2).check()
  await expect(refund.getByText(/can no longer be opened/)).toBeVisible()
  await refund.getByLabel('Reason').fill('two pages are missing')
  await expectAccessible(staff)
  await refund.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(refund.getByText(/was refunded\.$/)).toBeVisible()
  const left = await read(page, id)
  expect(left.lines.filter(({ delivery }) => delivery).map((line) => line.id)).toEqual([opened.id])
  await staff.context().close()
})

async function uploadEvidence(page: Page) {
  await page.getByRole('button', { name: /^Evidence for order #/ }).click()
  const pdf = { name: 'messages.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') }
  await page.locator('input.uppy-Dashboard-input[type=file]').first().setInputFiles(pdf)
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
}

test('a dispute freezes an order until it is won, and a lost one ends it', async ({ page, browser }) => {
  await register(page, 'Bo')
  const staff = await openStaff(browser)
  const request = { headers: { authorization: await readAuthorization() }, data: {} }
  const dispute = async (orderId: string) => {
    const file = (await (await staff.request.get(`/api/admin/orders/${orderId}`)).json()) as {
      payments: { captureId: string | null }[]
    }
    const { captureId } = file.payments.find((payment) => payment.captureId)!
    const opened = await page.request.post(`/sandbox/paypal/test/captures/${captureId}/dispute`, request)
    expect(opened.status()).toBe(201)
    const { id } = (await opened.json()) as { id: string }
    await expect.poll(async () => (await read(page, orderId)).dispute?.state).toBe('open')
    return (how: 'win' | 'lose') => page.request.post(`/sandbox/paypal/test/disputes/${id}/${how}`, request)
  }
  const { id } = await buy(page, ['Salt and Time'])
  const end = await dispute(id)
  await page.goto(`/orders/${id}`)
  await expect(page.getByText('You disputed the payment of this order')).toBeVisible()
  await openMenu(page)
  await expect(page.getByRole('button', { name: 'Write a review' })).toBeVisible()
  for (const name of [/^Ask for a refund/, /^Download/, /^Give/])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: /^Read/ })).toHaveCount(0)
  await expectAccessible(page)

  await staff.goto('/admin/disputes')
  await expectAccessible(staff)
  const row = staff
    .getByRole('list', { name: 'Disputes' })
    .getByRole('link')
    .filter({ hasText: id.slice(-8) })
  await expect(row).toContainText(/Answer by .* · \d+ days left/)
  await row.click()
  await expect(staff.getByText(/ · \d+ days left$/)).toBeVisible()
  await expect(staff.getByRole('list', { name: 'Deliveries' })).toContainText('access was given to “Salt and Time”')
  await expectAccessible(staff)
  const files = staff.getByRole('list', { name: 'Attached files' })
  const heading = staff.getByRole('heading', { name: 'Files for the payment provider' })
  await uploadEvidence(staff)
  await closeUploader(staff)
  await files.getByRole('button', { name: 'Remove messages.pdf' }).click()
  await expect(heading).toBeFocused()
  await expect(files).toHaveCount(0)
  // the connection is lost after the upload
  await staff.route('**/api/admin/disputes/*/files', (route) => route.abort(), { times: 1 })
  await uploadEvidence(staff)
  await closeUploader(staff)
  await staff.getByRole('button', { name: 'Attach again' }).click()
  await expect(files).toContainText('Messages with the buyer')
  await expect(heading).toBeFocused()
  await uploadEvidence(staff)
  await closeUploader(staff)
  await expect(files.getByRole('listitem')).toHaveCount(2)
  // the last file closes the uploader, because no more fit
  await uploadEvidence(staff)
  await expect(staff.getByText('This dispute has a file of each kind.')).toBeVisible()
  await expect(heading).toBeFocused()
  await expectAccessible(staff)
  await staff.getByLabel('Note').fill('It was delivered at once.')
  await staff.getByRole('button', { name: 'Send the evidence' }).click()
  await expect(staff.getByText(/^Sent .* The provider decides\.$/)).toBeVisible()
  await expect(files.getByRole('link', { name: 'messages.pdf' })).toHaveCount(3)
  await expect(files.getByRole('button')).toHaveCount(0)
  await end('win')
  await expect(page.getByText('decided the dispute of this order for us')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Read Salt and Time' })).toBeVisible()

  const other = await buy(page, ['Glass Rain'])
  const lose = await dispute(other.id)
  await lose('lose')
  await expect.poll(async () => (await read(page, other.id)).status).toBe('refunded')
  await page.goto(`/orders/${other.id}`)
  await expect(page.getByText('decided the dispute of this order for you')).toBeVisible()
  const card = page.getByRole('article').filter({ hasText: other.id.slice(-8) })
  await expect(
    card
      .getByText('Refunded', { exact: true })
      .or(card.getByText('refunded', { exact: true }))
      .first(),
  ).toBeVisible()
  await expect(card.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  await staff.context().close()
})
