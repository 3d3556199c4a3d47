import { expect, openStaff, register, routeRead, test } from './shop.ts'

test('a page that fails to render recovers with fresh data, and staff see its place in the source', async ({
  page,
  browser,
  faults,
}) => {
  await register(page)
  // Only the first answer holds an order that fails to render.
  await routeRead(page, /\/api\/orders\?/, (route) => route.fulfill({ json: [{ id: 'x' }] }), { times: 1 })
  const told = page.waitForResponse('**/api/ai/analyze-error')
  await page.goto('/orders')
  await expect(page.getByText('The store was notified and is applying automatic fixes.')).toBeVisible()
  const { success } = (await (await told).json()) as { success: boolean }
  expect(success).toBe(true)
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
  faults.length = 0
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.getByText('System Status').click()
  await expect(page.getByText('1 error, 0 auto-fixed')).toBeVisible()
  await page.getByRole('switch', { name: /Error monitoring/ }).click()
  await expect(page.getByRole('switch', { name: /Error monitoring/ })).not.toBeChecked()

  // Source maps are not public.
  const script = await page.locator('script[type=module]').getAttribute('src')
  expect((await page.request.get(`${script}.map`)).status()).toBe(404)

  const staff = await openStaff(browser)
  await staff.goto('/admin/errors')
  const group = staff
    .locator('details')
    .filter({ hasText: /src\/\w+\/\w+/ })
    .first()
  await group.locator('summary').click()
  await expect(group.getByText('/orders', { exact: true }).first()).toBeVisible()
  await expect(group.getByText('No model is set up')).toBeVisible()
  await expect(group.getByRole('button', { name: 'Explain' })).toHaveCount(0)
  // With a model the explanation shows as plain text.
  await staff.route('**/api/admin/errors/*/explanation', (route) => {
    const told = {
      text: 'Perhaps <b>nothing</b>.',
      model: 'small-1',
      release: '0.1.0',
      askedAt: new Date().toISOString(),
    }
    return route.fulfill({
      json: { model: 'small-1', known: null, explanation: route.request().method() === 'POST' ? told : null },
    })
  })
  await group.locator('summary').click()
  await group.locator('summary').click()
  await group.getByRole('button', { name: 'Explain' }).click()
  await expect(group.getByText('Perhaps <b>nothing</b>.')).toBeVisible()
  await expect(group.getByRole('button', { name: 'Ask again' })).toBeFocused()
  await group.getByRole('button', { name: 'Mark as fixed' }).click()
  await expect(staff.getByText('It reopens automatically if a later release has it.').first()).toBeVisible()
  await staff.getByRole('button', { name: /^Fixed/ }).click()
  await expect(group).toBeVisible()
  await staff.context().close()
})
