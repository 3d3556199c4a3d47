import { expect, fillCart, openStaff, register, test } from './shop.ts'

test('staff see the shop as a member, change nothing, and end the view with one press', async ({ page, browser }) => {
  const { email } = await register(page, 'Vera')
  await fillCart(page, 'Salt and Time')
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  await staff.goto(`/admin/members?q=${encodeURIComponent(email)}`)
  await staff.getByRole('list', { name: 'Members' }).getByRole('link').click()
  await staff.getByRole('button', { name: 'See the shop as this member' }).click()
  const dialog = staff.getByRole('dialog', { name: 'See the shop as Vera' })
  await dialog.getByRole('button', { name: 'See the shop' }).click()
  await expect(dialog.getByText('Give a reason. The member reads it.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Asked why the cart is empty')
  await dialog.getByRole('button', { name: 'See the shop' }).click()

  const banner = staff.getByRole('complementary', { name: 'View of staff' })
  await expect(banner).toContainText('You see the shop as Vera, read only')
  const writes: string[] = []
  staff.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await expect(staff.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
  // one line
  expect((await banner.boundingBox())!.height).toBeLessThan(50)
  await staff.goto('/cart')
  await expect(staff.getByText('Salt and Time').first()).toBeVisible()
  await expect(banner).toBeVisible()
  await staff
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await expect(
    staff.getByText('You see the shop as this member. Nothing can be changed or opened.').first(),
  ).toBeVisible()
  await staff.goto('/terms')
  await expect(banner).toBeVisible()
  await staff.goto('/admin')
  await expect(banner).toBeVisible()
  expect((await staff.request.get('/api/admin/waiting')).status()).toBe(409)

  await banner.getByRole('button', { name: 'End' }).click()
  await expect(staff.getByRole('heading', { level: 1, name: 'Vera' })).toBeVisible()
  // the page sent nothing by itself
  expect(writes.slice(0, 2)).toEqual([expect.stringMatching(/^DELETE \/api\/cart/), 'POST /api/view/end'])
  await expect(banner).toBeHidden()
  await expect(staff.getByText('1 browser')).toBeVisible()
  const cart = (await (await page.request.get('/api/cart')).json()) as object[]
  expect(cart).toHaveLength(1)
  const mails = await (await page.request.get('/dev/mail')).text()
  expect(mails).toMatch(new RegExp(`A member of staff looked at your account</a></h2>\\s*<small>To ${email}`))
  await staff.context().close()
})

test('another tab of staff shows the view too, and its end', async ({ page, browser }) => {
  const { email } = await register(page, 'Vito')
  const staff = await openStaff(browser)
  await staff.setViewportSize(page.viewportSize()!)
  const tab = await staff.context().newPage()
  await tab.goto('/orders')
  await staff.goto(`/admin/members?q=${encodeURIComponent(email)}`)
  await staff.getByRole('list', { name: 'Members' }).getByRole('link').click()
  await staff.getByRole('button', { name: 'See the shop as this member' }).click()
  await staff.getByRole('dialog').getByLabel('Reason').fill('A report')
  await staff.getByRole('dialog').getByRole('button', { name: 'See the shop' }).click()
  const bannerOf = (one: typeof staff) => one.getByRole('complementary', { name: 'View of staff' })
  await expect(bannerOf(staff)).toBeVisible()
  await expect(bannerOf(tab)).toContainText('You see the shop as Vito')
  await bannerOf(tab).getByRole('button', { name: 'End' }).click()
  await expect(tab.getByRole('heading', { level: 1, name: 'Vito' })).toBeVisible()
  await expect(bannerOf(staff)).toBeHidden()
  await staff.context().close()
})
