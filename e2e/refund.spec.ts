import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, expect, signIn, test } from './shop.ts'

test('staff find an order by its number and give a part of it back, without a pointer', async ({ page, browser }) => {
  type Demo = Account & { role: string }
  const accounts = JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR!, 'demo-accounts.json'), 'utf8')) as Demo[]
  const demo = (role: string) => accounts.find((account) => account.role === role)!
  await signIn(page, demo('shopper'))
  const found = await page.request.get('/api/products?q=Salt%20and%20Time&limit=1')
  const [book] = (await found.json()) as { id: string; price: string }[]
  const placed = await page.request.post('/api/orders', {
    data: {
      items: [{ productId: book!.id, quantity: 1, price: book!.price }],
      ...{ total: book!.price, paymentMethod: 'paypal', paymentId: crypto.randomUUID(), source: 'product' },
    },
  })
  const { id, status } = (await placed.json()) as { id: string; status: string }
  expect(status).toBe('completed')

  const desk = await (await browser.newContext()).newPage()
  await signIn(desk, demo('admin'))
  await desk.goto('/admin/orders')
  await desk.getByLabel('Number, email or product').focus()
  await desk.keyboard.type(`#${id.slice(-8)}`)
  await desk.keyboard.press('Enter')
  const only = desk.getByRole('list', { name: 'Orders' }).getByRole('link')
  await expect(only).toHaveCount(1)
  await only.focus()
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('heading', { level: 1, name: `Order #${id.slice(-8)}` })).toBeFocused()

  const refund = desk.getByRole('button', { name: 'Refund', exact: true })
  await refund.focus()
  await desk.keyboard.press('Enter')
  const dialog = desk.getByRole('dialog', { name: 'Refund' })
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await desk.keyboard.press('Tab')
  await desk.keyboard.type('1,00')
  await expect(dialog.getByText('The buyer keeps what was bought.')).toBeVisible()
  await desk.keyboard.press('Tab')
  // nothing is sent without a reason
  await desk.keyboard.press('Enter')
  await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await desk.keyboard.type('two pages are missing')
  await desk.keyboard.press('Enter')
  await expect(dialog.getByText('$1.00 is given back.')).toBeVisible()
  await desk.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(refund).toBeFocused()
  await expect(desk.getByRole('region', { name: 'Refunds' })).toContainText('two pages are missing')
  await expect(desk.getByRole('region', { name: 'Mails' })).toContainText('Kept, as no mail server is set')

  // whoever bought it reads so on its card
  await page.route('**/api/events', () => undefined)
  const card = page.getByRole('article').filter({ hasText: id.slice(-8) })
  const refunds = async () =>
    ((await (await page.request.get(`/api/orders/${id}`)).json()) as { refunds: unknown[] }).refunds
  await expect.poll(refunds).toHaveLength(1)
  await page.goto(`/orders/${id}`)
  await expect(card.getByText('Partly refunded: $1.00')).toBeVisible()

  // the dialog's own step in the history is taken back first
  await expect.poll(() => desk.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs ?? 0)).toBe(0)
  await desk.goBack()
  await expect(desk.getByLabel('Number, email or product')).toHaveValue(`#${id.slice(-8)}`)
  await expect(only).toHaveCount(1)

  // the rest is given back behind the back of a page that hears no news: what it still offers goes with the first press
  const left = (Number(book!.price) - 1).toFixed(2)
  const asked = { amount: left, left, reason: 'x', isUnused: false, isCodeSeen: false }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await desk.request.post(`/api/admin/orders/${id}/refunds`, { data: asked, headers })
  await expect.poll(refunds).toHaveLength(2)
  await card.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByText('It isn’t available anymore. Your order says why.').first()).toBeVisible()
  await expect(card.getByText('refunded', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  await desk.context().close()
})
