import type { Browser, Page } from '@playwright/test'
import { runSql } from './database.ts'
import { WIDE, enter, expect, newQuestion, openStaff, register, routeRead, test } from './shop.ts'

test('staff find the conversation that they handle on the overview and open it', async ({ page, browser, baseURL }) => {
  const question = newQuestion()
  const { email } = await register(page, 'Wanda')
  const sent = await page.request.post('/api/chat', { data: { message: question }, headers: { origin: baseURL! } })
  expect(sent.ok()).toBe(true)
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto('/admin/chat')
  await staff.getByRole('link', { name: new RegExp(question) }).click()
  await staff.getByRole('button', { name: 'Take' }).click()
  await expect(staff.getByText(/You answer/)).toBeVisible()
  await staff.goto('/admin')
  await expect(staff.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect(staff.getByRole('heading', { name: 'Health' })).toBeVisible()
  await staff.getByRole('button', { name: /^Mine/ }).click()
  const item = staff.getByRole('list', { name: 'Open items' }).getByRole('link', { name: new RegExp(email) })
  await expect(item).toContainText('You')
  await item.click()
  await expect(staff.getByRole('log').getByText(question)).toBeVisible()
  await staff.context().close()
})

test('the menu of staff shows the open items and marks the page', async ({ page, browser, isMobile }) => {
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto('/admin')
  const menu = staff.getByRole('navigation', { name: 'Staff pages' })
  if (isMobile) await menu.locator('summary').click()
  await menu.getByRole('link', { name: /^Members/ }).click()
  await expect(staff.getByRole('heading', { level: 1, name: 'Members' })).toBeFocused()
  if (isMobile) await expect(menu.locator('summary')).toContainText('Members')
  else await expect(menu.getByRole('link', { name: /^Members/ })).toHaveAttribute('aria-current', 'page')
  await staff.context().close()
})

test('staff write a note about a member and sign the member out everywhere', async ({ page, browser }) => {
  const { email } = await register(page, 'Nora')
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto(`/admin/members?q=${encodeURIComponent(email)}`)
  await staff.getByRole('list', { name: 'Members' }).getByRole('link').click()
  await expect(staff.getByRole('heading', { level: 1, name: 'Nora' })).toBeVisible()
  await staff.getByLabel('Note', { exact: true }).fill('Asked twice about the same order.')
  await staff.getByRole('button', { name: 'Add note' }).click()
  await expect(staff.getByText('Asked twice about the same order.').first()).toBeVisible()
  await staff.getByRole('button', { name: 'Sign out everywhere' }).click()
  await staff.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(staff.getByText('1 session ended').first()).toBeVisible()
  expect((await page.request.get('/api/account')).status()).toBe(401)
  await staff.context().close()
})

test('staff filter orders by what they wait for, and a search retains the filter', async ({ page, browser }) => {
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto('/admin/orders')
  const chip = staff.getByRole('group', { name: 'Waits for' }).getByRole('button', { name: /^Seller: bad code/ })
  await chip.click()
  await expect(staff).toHaveURL(/status=waits-for-seller/)
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  await staff.getByLabel('Number, buyer, seller or product').fill('nobody@test.example')
  await staff.getByRole('button', { name: 'Find' }).click()
  await expect(staff).toHaveURL(/q=nobody.*status=waits-for-seller/)
  await expect(staff.getByText('No orders')).toBeVisible()
  await chip.click()
  await expect(chip).toHaveAttribute('aria-pressed', 'false')
  await expect(staff).not.toHaveURL(/status=/)
  await staff.context().close()
})

test(
  'staff see orders in columns on a wide screen, with one tab stop in each row',
  { tag: WIDE },
  async ({ browser }) => {
    const staff = await openStaff(browser)
    const order = { buyer: 'ada@shop.example', sellers: ['mara@shop.example'], paymentMethod: 'paypal', waits: [] }
    const sums = { total: '9.00', refunded: '0.00', status: 'completed', createdAt: '2026-11-20T10:00:00.000Z' }
    const ids = [crypto.randomUUID(), crypto.randomUUID()]
    const orders = ids.map((id) => ({ id, ...order, ...sums, titles: ['Salt and Time '.repeat(20)], lineCount: 1 }))
    await routeRead(staff, '**/api/admin/orders?*', (route) => route.fulfill({ json: orders }))
    await staff.goto('/admin/orders')
    const table = staff.getByRole('table', { name: 'Orders' })
    const rows = table.getByRole('row')
    const columns = ['Order', 'Date', 'Buyer', 'Seller', 'Goods', 'Total', 'Method', 'Status']
    await expect(rows.first().getByRole('columnheader')).toHaveText(columns)
    const links = rows.nth(1).getByRole('link')
    await expect(links).toHaveCount(1)
    await links.focus()
    await staff.keyboard.press('Tab')
    await expect(rows.nth(2).getByRole('link')).toBeFocused()
    await staff.setViewportSize({ width: 1024, height: 768 })
    await expect(rows.first().getByRole('columnheader')).toHaveText(
      columns.filter((name) => name !== 'Seller' && name !== 'Method'),
    )
    expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBe(1024)
    await staff.setViewportSize({ width: 1023, height: 768 })
    await expect(staff.getByRole('list', { name: 'Orders' }).getByRole('link').first()).toBeVisible()
    await expect(table).toHaveCount(0)
    await staff.setViewportSize({ width: 1280, height: 800 })
    // a press anywhere in the row opens the order
    await rows.nth(1).getByRole('cell').nth(3).click({ force: true })
    await expect(staff).toHaveURL(new RegExp(`/admin/orders/${ids[0]}$`))
    await staff.context().close()
  },
)

/** Opens a page of a new member of staff in a separate browser context. */
async function hire(browser: Browser, firstName: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const account = await register(page, firstName)
  await runSql(`UPDATE users SET role = 'support' WHERE email = $1`, [account.email])
  await enter(page, account)
  return page
}

test('two members of staff see each other in one conversation, live', async ({ page, browser, baseURL }) => {
  const question = newQuestion()
  await register(page, 'Wim')
  const sent = await page.request.post('/api/chat', { data: { message: question }, headers: { origin: baseURL! } })
  expect(sent.ok()).toBe(true)
  const [lena, tom] = [await hire(browser, 'Lena'), await hire(browser, 'Tom')]
  for (const staff of [lena, tom]) {
    await staff.setViewportSize(page.viewportSize()!)
    await staff.goto('/admin/chat')
    await staff.getByRole('link', { name: new RegExp(question) }).click()
    await expect(staff.getByRole('log').getByText(question)).toBeVisible()
  }
  await expect(lena.getByText('Tom has this conversation open too.')).toBeVisible()
  await expect(tom.getByText('Lena has this conversation open too.')).toBeVisible()
  await tom.getByRole('textbox', { name: /^Reply to/ }).pressSequentially('Dolor')
  await expect(lena.getByText('Tom is typing a reply to this customer.')).toBeVisible()
  await expect(lena.getByText('Tom has this conversation open too.')).toBeHidden()
  await tom.goto('/admin')
  await expect(lena.getByText(/^Tom /)).toBeHidden({ timeout: 12_000 })
  for (const staff of [lena, tom]) await staff.context().close()
})
