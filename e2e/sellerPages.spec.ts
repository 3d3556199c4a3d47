import { buy, choose } from './goods.ts'
import { expect, listProduct, ONCE, openStaff, register, signUp, test } from './shop.ts'

const TABS = [
  ['Overview', 'Selling'],
  ['Products', 'My Products'],
  ['Sales', 'Sales'],
  ['Money', 'Balance'],
  ['Customers', 'Customers'],
  ['More', 'More'],
] as const

test('a seller reaches every page of selling by its tabs', { tag: ONCE }, async ({ page }) => {
  await signUp(page)
  await listProduct(page, `Tabs ${crypto.randomUUID().slice(0, 8)}`)
  for (const [path, link] of [
    ['/orders', 'Selling'],
    ['/profile', 'Overview'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('main').getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Selling' })).toBeVisible()
  }
  const tabs = page.getByRole('navigation', { name: 'Selling' })
  for (const [tab, title] of TABS) {
    await tabs.getByRole('link', { name: tab, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(tabs.locator('[aria-current=page]')).toHaveText(tab)
  }
  await page.getByRole('link', { name: /^Discounts/ }).click()
  await expect(tabs.locator('[aria-current=page]')).toHaveText('More')

  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link')).toHaveCount(4)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(main.locator('.nav__list [aria-current=page]')).toHaveText('Selling')
})

test('the tabs stay at one height on every page of selling', { tag: ONCE }, async ({ page }) => {
  await signUp(page)
  const id = await listProduct(page, `Height ${crypto.randomUUID().slice(0, 8)}`)
  const nothing = crypto.randomUUID()
  const paths = [
    ...['/selling', '/my-products', `/my-products/${id}`, '/my-products/new', `/my-products/${nothing}`],
    ...['/orders?tab=sales', `/sales/${nothing}`, '/balance', '/selling/customers', `/selling/customers/${nothing}`],
    ...['/selling/more', '/selling/page', '/discounts', '/bad-codes', '/webhooks'],
  ]
  const tabs = page.getByRole('navigation', { name: 'Selling' })
  for (const viewport of [page.viewportSize()!, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport)
    let first: number | undefined
    for (const path of paths) {
      await page.goto(path)
      // the title comes with the page, which draws the tabs anew
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      const box = await tabs.boundingBox()
      first ??= box?.y
      expect(box, path).toMatchObject({ y: first })
    }
  }
})

test('the tabs of selling stay while the script of a page loads', { tag: ONCE }, async ({ page }) => {
  await signUp(page)
  const tabs = page.getByRole('navigation', { name: 'Selling' })
  for (const [tab, title, scripts] of [
    ['Money', 'Balance', /\/assets\/BalancePage-[^/]*\.js/],
    ['Sales', 'Sales', /\/assets\/(OrdersPage|SalesPage)-[^/]*\.js/],
  ] as const) {
    const { promise: sent, resolve: send } = Promise.withResolvers<void>()
    await page.route(scripts, async (route) => {
      await sent
      await route.continue()
    })
    await page.goto('/selling')
    await expect(page.getByRole('heading', { level: 1, name: 'Selling' })).toBeVisible()
    await tabs.getByRole('link', { name: tab, exact: true }).click()
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    await expect(tabs.locator('[aria-current=page]')).toHaveText(tab)
    send()
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(tabs.locator('[aria-current=page]')).toHaveText(tab)
  }
})

test('the overview shows a sale of today and the money on its way', { tag: ONCE }, async ({ page, browser }) => {
  const title = `Overview ${crypto.randomUUID().slice(0, 8)}`
  await register(page)
  await page.goto('/selling')
  await expect(page.getByRole('heading', { name: 'Nothing sold yet' })).toBeVisible()
  await listProduct(page, title)
  const buyer = await (await browser.newContext()).newPage()
  await register(buyer)
  await buy(buyer, title)
  await page.reload()
  // 5.00 less 5 %
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('$4.75')
  await expect(page.getByRole('region', { name: 'On the way' })).toContainText('First $4.75')
  await expect(page.getByText('Nothing needs an answer.')).toBeVisible()
  await buyer.context().close()
})

test(
  'a seller refunds a sale, mails its link again, and keeps a note about the customer',
  { tag: ONCE },
  async ({ page, browser }) => {
    const title = `Refund ${crypto.randomUUID().slice(0, 8)}`
    await signUp(page)
    await listProduct(page, title)
    const buyer = await (await browser.newContext()).newPage()
    const account = await register(buyer, 'Mira')
    await buy(buyer, title)

    await page.goto(`/selling/customers/${crypto.randomUUID()}`)
    await expect(page.getByText('Customer not found')).toBeVisible()
    await page.goto('/selling/customers')
    await page.getByRole('link', { name: /Mira/ }).click()
    await expect(page.getByText(account.email)).toHaveCount(0)
    await page.getByLabel('Note').fill('Teaches sound.')
    await page.getByRole('button', { name: 'Save note' }).click()
    await expect(page.getByText('Note saved').first()).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Note')).toHaveValue('Teaches sound.')
    await page.getByRole('link', { name: title }).click()

    await expect(page.getByText('Not opened yet')).toBeVisible()
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText('Email sent').first()).toBeVisible()
    const mails = async () => (await page.request.get('/dev/mail')).text()
    await expect.poll(mails).toMatch(new RegExp(`Your order [0-9a-f]{8}: ${title}`))

    await page.getByRole('button', { name: 'Give a copy' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a link' }).click()
    const link = await page.getByLabel('Link to one free copy').inputValue()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    const friend = await (await browser.newContext()).newPage()
    await register(friend)
    await friend.goto(link)
    await friend.getByRole('button', { name: /free/i }).first().click()
    await expect(friend).toHaveURL(/\/orders\//)
    await friend.context().close()

    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund this sale' })
    await expect(dialog.getByText('$4.75 leaves your balance. The store returns its fee of $0.25.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Refund $5.00' }).click()
    await expect(dialog.getByText('Give a reason; the buyer reads it.')).toBeVisible()
    await dialog.getByLabel('Reason').fill('A page is missing')
    await dialog.getByRole('button', { name: 'Refund $5.00' }).click()
    await expect(dialog).toBeHidden()
    await expect(async () => {
      await page.reload()
      await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible({ timeout: 2000 })
    }).toPass()
    await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
    await buyer.goto('/orders')
    await expect(buyer.getByText('Refunded').first()).toBeVisible()
    await buyer.context().close()
  },
)

test('a seller answers a review in public and changes the answer', { tag: ONCE }, async ({ page, browser }) => {
  const title = `Answer ${crypto.randomUUID().slice(0, 8)}`
  await signUp(page)
  const id = await listProduct(page, title)
  const buyer = await (await browser.newContext()).newPage()
  await register(buyer, 'Mira')
  await buy(buyer, title)
  const [order] = (await (await buyer.request.get('/api/orders')).json()) as { lines: { id: string }[] }[]
  const data = { stars: 4, text: 'Good, but short.' }
  const headers = { origin: new URL(buyer.url()).origin }
  expect((await buyer.request.put(`/api/reviews/${order!.lines[0]!.id}`, { data, headers })).ok()).toBe(true)

  await page.goto('/selling')
  await page.getByRole('link', { name: `Answer: A buyer reviewed ${title}` }).click()
  await page.getByRole('button', { name: /^Answer to Mira/ }).click()
  await expect(page.getByLabel(/^Your answer to Mira/)).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: /^Answer to Mira/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save answer' }).click()
  await expect(page.getByText('Write a few words.')).toBeVisible()
  await page.getByLabel(/^Your answer to Mira/).fill('A longer one comes.')
  await page.getByRole('button', { name: 'Save answer' }).click()
  await expect(page.getByText('A longer one comes.')).toBeVisible()
  await page.getByRole('button', { name: /^Edit answer to Mira/ }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^Delete answer to Mira/ }).click()
  await expect(page.getByText('A longer one comes.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('A longer one comes.')).toBeVisible()
  await page.getByRole('button', { name: /^Edit answer to Mira/ }).click()
  await page.getByLabel(/^Your answer to Mira/).fill('It is here.')
  await page.getByRole('button', { name: 'Save answer' }).click()
  await expect(async () => {
    await buyer.goto(`/product/${id}`)
    await expect(buyer.getByText('It is here.')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await buyer.context().close()
})

test(
  'a buyer and a seller write to each other about a sale, and support can read it',
  { tag: ONCE },
  async ({ page, browser }) => {
    const title = `Letters ${crypto.randomUUID().slice(0, 8)}`
    await signUp(page, 'Sally')
    await listProduct(page, title)
    const buyer = await (await browser.newContext()).newPage()
    await register(buyer, 'Mira')
    await buy(buyer, title)
    await buyer.getByRole('button', { name: /^Write to Sally/ }).click()
    await buyer.getByLabel(/^Write to Sally/).fill('Is it the long recording?')
    await buyer.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(buyer.getByRole('list', { name: 'Messages' })).toContainText('Is it the long recording?')

    await page.goto('/selling')
    await page.getByRole('link', { name: 'Reply: A buyer wrote to you' }).click()
    await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Is it the long recording?')
    await page.getByLabel(/^Write to Mira/).fill('It is.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Messages' })).toContainText('It is.')
    await page.goto('/selling')
    await expect(page.getByText('Nothing needs an answer.')).toBeVisible()

    await buyer.reload()
    await expect(buyer.getByRole('list', { name: 'Messages' })).toContainText('It is.')
    await choose(buyer, 'End this thread', /^More for the messages/)
    await expect(buyer.getByText(/^You ended this thread\./)).toBeVisible()
    await page.goto('/selling/customers')
    await page.getByRole('link', { name: /Mira/ }).click()
    await expect(page.getByText(/ended this thread\.$/)).toBeVisible()

    const staff = await openStaff(browser)
    await staff.goto(new URL(buyer.url()).pathname.replace('/orders', '/admin/orders'))
    await staff.getByText('Ended by the buyer').click()
    await expect(staff.getByRole('list', { name: 'Messages' })).toContainText('Is it the long recording?')
    await staff.context().close()
    await buyer.context().close()
  },
)
