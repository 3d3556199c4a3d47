import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, signIn, signUp, test } from './shop.ts'

type Account = { role: string; email: string; password: string }

test('a page that breaks is told to staff with its place in the source, and stands again with fresh data', async ({
  page,
  browser,
  faults,
}) => {
  await signUp(page)
  // home asks for orders too, and may not have yet
  await page.goto('about:blank')
  // the first answer has an order that cannot be drawn, the next one is right
  await page.route(/\/api\/orders\?/, (route) => route.fulfill({ json: [{ id: 'x' }] }), { times: 1 })
  const told = page.waitForResponse('**/api/ai/analyze-error')
  await page.goto('/orders')
  await expect(page.getByText('The AI system was notified and is applying automatic fixes.')).toBeVisible()
  const { success } = (await (await told).json()) as { success: boolean }
  expect(success).toBe(true)
  // drawn anew with the same data it fails again; with fresh data it stands
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
  faults.length = 0
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.getByText('System Status').click()
  await expect(page.getByText('1 error, 0 auto-fixed')).toBeVisible()
  await page.getByRole('switch', { name: /Error monitoring/ }).click()
  await expect(page.getByRole('switch', { name: /Error monitoring/ })).not.toBeChecked()

  // what the page needs to be led back is not for everybody
  const script = await page.locator('script[type=module]').getAttribute('src')
  expect((await page.request.get(`${script}.map`)).status()).toBe(404)

  const accounts = JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR!, 'demo-accounts.json'), 'utf8')) as Account[]
  const desk = await (await browser.newContext()).newPage()
  await signIn(
    desk,
    accounts.find(({ role }) => role === 'admin')!,
  )
  await desk.goto('/admin/errors')
  const group = desk
    .locator('details')
    .filter({ hasText: /src\/\w+\/\w+/ })
    .first()
  await group.locator('summary').click()
  await expect(group.getByText('/orders', { exact: true }).first()).toBeVisible()
  // this shop has no model, and says what to set
  await expect(group.getByText('No model is set up')).toBeVisible()
  await expect(group.getByRole('button', { name: 'Explain' })).toHaveCount(0)
  // with one it takes a press, and its words stay words
  await desk.route('**/api/admin/errors/*/explanation', (route) => {
    const told = {
      text: 'Perhaps <b>nothing</b>.',
      model: 'small-1',
      release: '0.1.0',
      askedAt: new Date().toISOString(),
    }
    return route.fulfill({ json: { model: 'small-1', explanation: route.request().method() === 'POST' ? told : null } })
  })
  await group.locator('summary').click()
  await group.locator('summary').click()
  await group.getByRole('button', { name: 'Explain' }).click()
  await expect(group.getByText('Perhaps <b>nothing</b>.')).toBeVisible()
  await expect(group.getByRole('button', { name: 'Ask again' })).toBeFocused()
  await group.getByRole('button', { name: 'Mark as fixed' }).click()
  await expect(desk.getByText('It reopens automatically if a later release has it.').first()).toBeVisible()
  await desk.getByRole('button', { name: /^Fixed/ }).click()
  await expect(group).toBeVisible()
  await desk.context().close()
})
