import type { Browser, Page } from '@playwright/test'
import { runSql } from './database.ts'
import { enter, expect, openStaff, register, test } from './shop.ts'

test('staff find the conversation that they handle on the overview and open it', async ({ page, browser, baseURL }) => {
  const question = `Where is my order? ${crypto.randomUUID()}`
  const { email } = await register(page, 'Wanda')
  const sent = await page.request.post('/api/chat', { data: { message: question }, headers: { origin: baseURL! } })
  expect(sent.ok()).toBe(true)
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto('/admin/chat')
  await staff.getByRole('link', { name: new RegExp(question.slice(-36)) }).click()
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

/** Opens a page of a new member of staff in a separate browser context. */
async function hire(browser: Browser, firstName: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const account = await register(page, firstName)
  await runSql(`UPDATE users SET role = 'support' WHERE email = $1`, [account.email])
  await enter(page, account)
  return page
}

test('two members of staff see each other in one conversation, live', async ({ page, browser, baseURL }) => {
  const question = `Where is my key? ${crypto.randomUUID()}`
  await register(page, 'Wim')
  const sent = await page.request.post('/api/chat', { data: { message: question }, headers: { origin: baseURL! } })
  expect(sent.ok()).toBe(true)
  const [lena, tom] = [await hire(browser, 'Lena'), await hire(browser, 'Tom')]
  for (const staff of [lena, tom]) {
    await staff.setViewportSize(page.viewportSize()!)
    await staff.goto('/admin/chat')
    await staff.getByRole('link', { name: new RegExp(question.slice(-36)) }).click()
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
