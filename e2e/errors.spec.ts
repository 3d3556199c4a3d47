import { expect, forgive, openStaff, register, routeRead, test } from './shop.ts'

// one test at a time, because the shop drops simultaneous error reports
test.describe.configure({ mode: 'default' })

test('a page that fails to render recovers with fresh data, and staff see its place in the source', async ({
  page,
  browser,
  faults,
}) => {
  await register(page)
  // only the first answer contains an order that fails to render
  await routeRead(page, /\/api\/orders\?/, (route) => route.fulfill({ json: [{ id: 'x' }] }), { times: 1 })
  const told = page.waitForResponse('**/api/ai/analyze-error')
  await page.goto('/orders')
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
    .filter({ hasText: 'of undefined' })
    .first()
  await group.locator('summary').click()
  await expect(group.getByText('/orders', { exact: true }).first()).toBeVisible()
  await expect(group.getByText('By the words of its message, without a model')).toBeVisible()
  await expect(group.getByText('No model is set up')).toBeVisible()
  await expect(group.getByRole('button', { name: 'Explain' })).toHaveCount(0)
  // with a language model, staff read its explanation as plain text
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

/** Each fault in the browser, and the advice to the visitor. `page` is the code of the orders page. */
const CLASSES: [cause: string, page: string, advice: string][] = [
  ['a script that is gone', '', 'A part of the page did not load. Refresh the page to get its newest version.'],
  [
    'a value that is missing',
    'undefined.id',
    'The page got an answer that it could not read. Nothing that you saved is lost.',
  ],
  [
    'a full device',
    "localStorage.setItem('x', 'x'.repeat(6e6))",
    'This device has no room left. Free some space, then refresh the page.',
  ],
  [
    'the content security policy',
    "eval('1')",
    'The browser blocked something on this page, mostly an extension. Try without extensions.',
  ],
  [
    'a request without an answer',
    "const asked = new XMLHttpRequest(); asked.open('GET', '/nowhere', false); asked.send()",
    'The store could not be reached. Check your connection, then try again.',
  ],
  [
    'a payment',
    "throw new Error('Payment session has no client token')",
    'Something failed around a payment. Your orders say if it went through.',
  ],
]

/** Returns a script for the orders page. Exports the page as every letter, because the build shortens export names. */
const scriptOf = (page: string) => {
  const names = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `orders as ${letter}`)
  return `export const firstView = () => []; export ${page}; const orders = { firstView, OrdersPage }; export { ${names.join()} }`
}

test('the error screen shows the next step for each class of errors', async ({ page, faults }) => {
  await register(page)
  await page.clock.install()
  let code = ''
  await page.route('**/nowhere', (route) => route.abort())
  await page.route(/\/assets\/OrdersPage-/, (route) =>
    code === '' ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: code }),
  )
  const title = page.getByRole('heading', { level: 1, name: 'Oops! Something went wrong' })
  const orders = page.getByRole('heading', { level: 1, name: 'My Orders' })
  // the error monitor starts three seconds after the page
  const untilWatched = () => page.clock.fastForward(4_000)
  for (const [cause, work, advice] of CLASSES) {
    code = work && scriptOf(`const OrdersPage = () => { ${work} }`)
    await page.goto('/orders', { waitUntil: 'commit' })
    await expect(title, cause).toBeVisible()
    await untilWatched()
    const noted = `The store was notified and is applying automatic fixes. ${advice}`
    await expect(page.getByText(noted), cause).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('x'))
  }
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(title).toBeVisible()
  await page.getByRole('link', { name: 'Shop' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'All Categories' })).toBeVisible()

  // the first script renders nothing, and the second one does not contain the page
  for (const given of ['const OrdersPage = () => undefined', 'const OrdersPage = undefined']) {
    code = scriptOf(given)
    await page.goto('/orders', { waitUntil: 'commit' })
    await untilWatched()
    await expect(title).toBeVisible()
    await expect(page.getByText('We couldn’t show this page. Your cart and orders are safe.')).toBeVisible()
  }
  await page.unroute(/\/assets\/OrdersPage-/)
  await page.getByRole('button', { name: 'Refresh Page' }).click()
  await expect(orders).toBeVisible()

  // server HTML and browser render differ: the page recovers, and staff get the reason
  const told = page.waitForRequest(/\/api\/errors$/)
  await page.route('**/orders', async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, body: (await response.text()).replace('My Orders</h1>', 'No Orders</h1>') })
  })
  await page.goto('/orders', { waitUntil: 'commit' })
  await expect(orders).toBeVisible()
  await untilWatched()
  // the page sends errors that are not urgent together, after twenty seconds
  await page.clock.fastForward(21_000)
  expect((await told).postData()).toContain('error #418')
  faults.length = 0
})

test('re-reads a response that lacks a field, and counts the error as fixed', async ({ page, faults }) => {
  await register(page)
  await routeRead(
    page,
    /\/api\/localisation\/location$/,
    async (route) => {
      const location = (await (await route.fetch()).json()) as Record<string, unknown>
      await route.fulfill({ json: { ...location, country_code: undefined } })
    },
    { times: 1 },
  )
  const firstRead = page.waitForResponse('**/api/localisation/location')
  await page.goto('/')
  await firstRead
  await page.getByText('System Status').click()
  // the error monitor runs, and the cache contains the broken response
  await expect(page.getByText('0 errors, 0 auto-fixed')).toBeVisible()
  await expect(page.getByText(/, USD$/)).toBeVisible()
  const secondRead = page.waitForResponse('**/api/localisation/location')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError("Cannot read properties of undefined (reading 'fee')")
    })
  })
  await secondRead
  await expect(page.getByText('1 error, 1 auto-fixed')).toBeVisible()
  forgive(faults, /reading 'fee'/)
})
