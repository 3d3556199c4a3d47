import { choose } from './goods.ts'
import { demoAccount, enter, expect, findProduct, openStaff, test } from './shop.ts'

test('staff find an order by its number and refund a part of it by keyboard', async ({ page, browser }) => {
  await enter(page, demoAccount('shopper'))
  const book = await findProduct(page, 'Small Rooms, Well Lit')
  const placed = await page.request.post('/api/orders', {
    data: {
      items: [{ productId: book.id, quantity: 1, price: book.price }],
      ...{ total: book.price, paymentMethod: 'paypal', paymentId: crypto.randomUUID(), source: 'product' },
    },
  })
  const { id, status } = (await placed.json()) as { id: string; status: string }
  expect(status).toBe('completed')
  // only staff refund an opened product
  const { lines } = (await (await page.request.get(`/api/orders/${id}`)).json()) as { lines: { id: string }[] }
  const grant = await page.request.post(`/api/orders/${id}/lines/${lines[0]!.id}/download`, { data: {} })
  await page.request.get(((await grant.json()) as { url: string }).url)
  await page.goto(`/orders/${id}`)
  await choose(page, 'Ask for a refund')
  const wish = page.getByRole('dialog', { name: 'Ask for a refund' })
  await wish.getByRole('button', { name: 'Send request' }).click()
  await expect(wish.getByText('Choose a reason for the refund.')).toBeVisible()
  await expect(wish.getByLabel('Why?')).toBeFocused()
  await wish.getByLabel('Why?').selectOption('damaged')
  await wish.getByRole('button', { name: 'Send request' }).click()
  const card = page.getByRole('article').filter({ hasText: id.slice(-8) })
  await expect(card.getByText('Refund requested')).toBeVisible()
  const staff = await openStaff(browser)
  await staff.goto('/admin/orders')
  await staff.getByLabel('Number, buyer, seller or product').focus()
  await staff.keyboard.type(`#${id.slice(-8)}`)
  await staff.keyboard.press('Enter')
  const only = staff.getByRole('list', { name: 'Orders' }).getByRole('link')
  await expect(only).toHaveCount(1)
  await expect(only).toContainText('Staff: refund requested')
  await only.focus()
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('heading', { level: 1, name: `Order #${id.slice(-8)}` })).toBeFocused()

  await staff.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(staff.getByText('Tell the buyer why you decline.')).toBeVisible()
  await expect(staff.getByLabel('Reason against it')).toBeFocused()

  const refund = staff.getByRole('button', { name: 'Refund', exact: true })
  await refund.focus()
  await staff.keyboard.press('Enter')
  const dialog = staff.getByRole('dialog', { name: 'Refund' })
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await staff.keyboard.press('Tab')
  await staff.keyboard.type('1,00')
  await expect(dialog.getByText('The buyer keeps what was bought.')).toBeVisible()
  await staff.keyboard.press('Tab')
  // A refund needs a reason.
  await staff.keyboard.press('Enter')
  await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await staff.keyboard.type('two pages are missing')
  await staff.keyboard.press('Enter')
  await expect(dialog.getByText('$1.00 was refunded.')).toBeVisible()
  await staff.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(refund).toBeFocused()
  await expect(staff.getByRole('region', { name: 'Refunds' })).toContainText('two pages are missing')
  await expect(staff.getByRole('region', { name: 'Mails' })).toContainText('Kept, as no mail server is set')

  // The buyer's card shows the refund.
  await page.route('**/api/events', () => undefined)
  const refunds = async () =>
    ((await (await page.request.get(`/api/orders/${id}`)).json()) as { refunds: unknown[] }).refunds
  await expect.poll(refunds).toHaveLength(1)
  await page.goto(`/orders/${id}`)
  await expect(card.getByText('Partly refunded: $1.00')).toBeVisible()

  // The closing dialog first removes its own history entry.
  await expect.poll(() => staff.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs ?? 0)).toBe(0)
  await staff.goBack()
  await expect(staff.getByLabel('Number, buyer, seller or product')).toHaveValue(`#${id.slice(-8)}`)
  await expect(only).toHaveCount(1)

  // The page gets no change events. Its first press shows that the rest is refunded and removes the download.
  const left = (Number(book.price) - 1).toFixed(2)
  const asked = { amount: left, left, reason: 'x', isUnused: false, isCodeSeen: false }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await staff.request.post(`/api/admin/orders/${id}/refunds`, { data: asked, headers })
  await expect.poll(refunds).toHaveLength(2)
  await card.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByText('It isn’t available anymore. Your order says why.').first()).toBeVisible()
  await expect(card.getByText('refunded', { exact: true })).toBeVisible()
  await expect(card.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  await staff.context().close()
})
