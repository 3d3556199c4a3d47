import type { Page } from '@playwright/test'
import {
  ONCE,
  WIDE,
  addToCart,
  demoAccount,
  enter,
  expect,
  fillCart,
  findProduct,
  forgive,
  register,
  signUp,
  stopClock,
  test,
  untilAnswering,
} from './shop.ts'

const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!

test('the navigation has four entries at every width, and a phone shows a clock', async ({ page, isMobile }) => {
  await signUp(page)
  await page.getByText('System Status').click()
  await expect(page.getByText(isMobile ? /^mobile$/i : /^desktop$/i)).toBeVisible()
  const statusBar = page.locator('.statusbar')
  await expect(statusBar).toHaveAttribute('aria-hidden', 'true')
  for (const [name, href] of [
    ['Home', '/'],
    ['Shop', '/categories'],
    ['Orders', '/orders'],
    ['Profile', '/profile'],
  ] as const)
    await expect(nav(page).getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', href)
  await expect(nav(page).locator('[aria-current=page]')).toHaveText('Home')
  const { height } = page.viewportSize()!
  if (isMobile) {
    const bar = await boxOf(page, '.nav')
    expect(Math.round(bar.y + bar.height)).toBe(height)
    const column = await boxOf(page, '.shell')
    expect(column.width).toBeLessThanOrEqual(28 * 16)
    await page.clock.install()
    await page.reload()
    await expect(statusBar).toContainText(/\d:\d\d [AP]M/)
    const shown = (await statusBar.textContent())!
    await page.clock.fastForward(60_000)
    await expect(statusBar).not.toContainText(shown)
    await expect(statusBar).toContainText(/\d:\d\d [AP]M/)
    return
  }
  await expect(statusBar).toBeHidden()
  const rail = await boxOf(page, '.nav')
  expect(rail.x + rail.width).toBeLessThanOrEqual((await boxOf(page, '.page')).x)
  await page.setViewportSize({ width: 800, height: 900 })
  await expect(statusBar).toBeHidden()
  await expect.poll(async () => (await boxOf(page, '.nav')).y).toBeLessThan(10)
  await page.setViewportSize({ width: 1920, height: 1080 })
  const wide = await boxOf(page, '.shell')
  expect(wide.width).toBeLessThanOrEqual(72 * 16)
  expect(Math.abs(wide.x * 2 + wide.width - 1920)).toBeLessThan(20)
  const [first, second] = await Promise.all([0, 1].map((i) => page.locator('.product').nth(i).boundingBox()))
  expect(second!.y).toBe(first!.y)
})

test('a conversation in the support inbox hides the navigation of a phone', async ({ page, isMobile }) => {
  await enter(page, demoAccount('admin'))
  await page.goto('/profile')
  await expect(page.getByRole('link', { name: 'Staff pages' })).toHaveAttribute('href', '/admin')
  await page.goto('/admin/audit')
  const pages = page.getByRole('navigation', { name: 'Staff pages' })
  if (isMobile) await pages.locator('summary').click()
  // every entry is shown in full, on a phone and on a desktop
  for (const link of await pages.getByRole('link').all()) {
    await link.scrollIntoViewIfNeeded()
    await expect(link).toBeInViewport({ ratio: 0.98 })
  }
  await expect(pages.getByRole('link', { name: 'Audit log' })).toHaveAttribute('aria-current', 'page')
  const { x } = await boxOf(page, '.nav')
  await page.goto('/admin/chat')
  // the bar of a phone has no entry for staff
  await expect(nav(page).locator('[aria-current=page]')).toHaveText(isMobile ? [] : ['Staff', /^Support inbox/])
  await expect(page.locator('.inbox')).toBeVisible()
  expect((await boxOf(page, '.nav')).x).toBe(x)
  await page.goto('/admin/chat/0190b3c2-7f58-7cc3-98c4-dc0c0c07398f')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(nav(page)).toBeVisible({ visible: !isMobile })
})

test(
  'the zoom is locked until Settings allows it, and pages fit the narrowest phone at 200 % text',
  { tag: ONCE },
  async ({ page }) => {
    await register(page)
    await fillCart(page, 'Salt and Time')
    await page.goto('/settings')
    const viewport = page.locator('meta[name=viewport]')
    const touch = () => page.evaluate(() => getComputedStyle(document.documentElement).touchAction)
    await expect(viewport).toHaveAttribute('content', /maximum-scale=1\b/)
    expect(await touch()).toBe('pan-x pan-y')
    await page.getByRole('switch', { name: /Allow pinch zoom/ }).check()
    await expect(viewport).not.toHaveAttribute('content', /maximum-scale/)
    expect(await touch()).toBe('auto')
    await page.getByRole('group', { name: 'Text size' }).getByRole('button', { name: '200%' }).click()
    const textSize = () => page.evaluate(() => getComputedStyle(document.body).fontSize)
    expect(await textSize()).toBe('32px')
    await page.setViewportSize({ width: 320, height: 700 })
    for (const path of ['/', '/categories', '/cart', '/orders', '/profile', '/settings']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expect(viewport).not.toHaveAttribute('content', /maximum-scale/)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect({ path, textSize: await textSize(), width }).toEqual({ path, textSize: '32px', width: 320 })
    }
  },
)

test(
  'one notification shows at a time, for five seconds, and F8, focus and a swipe control it',
  {
    tag: WIDE,
  },
  async ({ page }) => {
    await page.clock.install()
    await register(page)
    await addToCart(page, 'Salt and Time')
    const toasts = page.locator('.toast')
    await expect(toasts).toHaveCount(1)
    const added = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await added
    await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
    await expect(toasts).toHaveCount(1)
    await stopClock(page)
    const [toast, cart] = [await boxOf(page, '.toast'), await boxOf(page, '.topbar a[href="/cart"]')]
    expect(toast.width).toBeLessThanOrEqual(420)
    expect(toast.y).toBeGreaterThan(cart.y + cart.height)
    await page.keyboard.press('F8')
    await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus, ol:focus')).toHaveCount(1)
    // the focus pauses its timer
    await page.clock.runFor(6000)
    await expect(toasts).toHaveAttribute('data-state', 'open')
    await page.getByRole('heading', { level: 1 }).click()
    await page.clock.runFor(5000)
    await expect(toasts).toHaveCount(0)

    // the mouse swipes in place of a finger
    await page.clock.resume()
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(toasts).toHaveCount(1)
    await stopClock(page)
    const swipe = async (distance: number) => {
      const { x, y, height } = (await toasts.boundingBox())!
      await page.mouse.move(x + 60, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + 60 + distance / 2, y + height / 2, { steps: 3 })
      await page.mouse.move(x + 60 + distance, y + height / 2, { steps: 3 })
      await page.mouse.up()
    }
    await swipe(40)
    await expect(toasts).toHaveAttribute('data-swipe', 'cancel')
    await expect(toasts).toHaveAttribute('data-state', 'open')
    await swipe(70)
    await expect(toasts).toHaveCount(0)
  },
)

test('Undo restores a removed line and a cleared cart', { tag: ONCE }, async ({ page }) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  await fillCart(page, 'Morning Bells')
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Remove Salt and Time' }).click()
  await expect(page.getByText('Item removed from cart.').first()).toBeVisible()
  const [toast, cart] = [await boxOf(page, '.toast'), await boxOf(page, '.topbar a[href="/cart"]')]
  expect(toast.y).toBeGreaterThan(cart.y + cart.height)
  // a pointer over the notification pauses its timer
  await page.locator('.toast').hover()
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 item(s) in your cart')).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByText('All items removed from cart.').first()).toBeVisible()
  await page.locator('.toast').hover()
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 item(s) in your cart')).toBeVisible()
  await expect.poll(async () => ((await (await page.request.get('/api/cart')).json()) as unknown[]).length).toBe(2)
  await fillCart(page, 'Bread by Weight')
  await fillCart(page, 'Larkspur Coffee Bar')
  await page.reload()
  await expect(page.getByText('4 item(s) in your cart')).toBeVisible()
  if ((page.viewportSize()?.width ?? 0) < 768) {
    const bar = page.getByRole('group', { name: 'Total and payment' })
    await expect(bar.getByRole('button', { name: 'Pay with PayPal' })).toBeInViewport()
    await expect(bar).toContainText(/Total\s*\$\d+\.\d\d/)
  }

  // only the change feed makes another tab read the cart again
  const other = await page.context().newPage()
  const feed = other.waitForRequest('**/api/events')
  await other.goto('/cart')
  await (await feed).response()
  await page.getByRole('button', { name: 'Remove Larkspur Coffee Bar' }).click()
  await expect(other.getByText('3 item(s) in your cart')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(other.getByText('4 item(s) in your cart')).toBeVisible()
  await other.close()

  // A change by another browser shows when the page gets the focus.
  await fillCart(page, 'Glass Rain')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page.getByText('5 item(s) in your cart')).toBeVisible()

  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Clear the cart?' })
  await expect(question.getByText('All 5 products will be removed.')).toBeVisible()
  await question.getByRole('button', { name: 'Clear cart' }).click()
  await expect(page.getByText('Your cart is empty')).toBeVisible()
})

test('the library has one search field, and / still opens the palette', { tag: WIDE }, async ({ page }) => {
  await signUp(page)
  await expect(page.getByRole('banner').getByRole('button', { name: /^Search/ })).toBeVisible()
  await page.goto('/library')
  await expect(page.getByRole('searchbox', { name: 'Search your library' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: /^Search/ })).toHaveCount(0)
  await page.getByRole('heading', { name: 'Library' }).click()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog', { name: 'Find anything' })).toBeVisible()
})

test('a tooltip shows after 700 ms of hover, the next one at once', { tag: WIDE }, async ({ page }) => {
  await page.clock.install()
  await register(page)
  const { id } = await findProduct(page, 'Salt and Time')
  await page.goto(`/product/${id}`)
  const share = page.getByRole('button', { name: 'Share' })
  const save = page.getByRole('button', { name: /^Save/ })
  const tip = page.locator('.tip__text')
  await save.scrollIntoViewIfNeeded()
  await stopClock(page)
  await share.hover()
  await page.clock.runFor(690)
  await expect(tip).toHaveCount(0)
  await page.clock.runFor(10)
  await expect(tip).toHaveText('Share')
  await page.clock.runFor(100)
  await save.hover()
  await page.clock.runFor(0)
  await expect(tip).toHaveText(/^Save/)
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
})

test(
  'a call after the session ended shows a notice for half a second, then opens sign-in',
  { tag: ONCE },
  async ({ page, context }) => {
    await register(page)
    await page.goto('/categories?q=Salt+and+Time')
    await page.getByRole('link', { name: 'Salt and Time' }).first().click()
    await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
    const here = new URL(page.url()).pathname
    const text = 'You are logged out. Logging in again...'
    const told = Promise.withResolvers<void>()
    await page.exposeFunction('tell', () => told.resolve())
    // The notice shows for half a second only, so an observer in the page looks for it.
    await page.evaluate((words) => {
      const look = () => document.body.innerText.includes(words) && Reflect.get(window, 'tell')()
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    }, text)
    const refused = page.waitForResponse((response) => response.status() === 401).then(() => Date.now())
    const asked = page.waitForRequest(/\/api\/login/).then(() => Date.now())
    await context.clearCookies()
    // requests of the page may fail first and open sign-in
    await page
      .getByRole('button', { name: 'Add to Cart' })
      .dispatchEvent('click')
      .catch(() => undefined)
    await told.promise
    // the two events may reach the test with different delays
    expect((await asked) - (await refused)).toBeGreaterThanOrEqual(350)
    await page.waitForURL(/\/api\/login/)
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe(here)
  },
)

/** Returns ids that differ between React and the server HTML. React does not compare them and uses the server's. */
const strangers = (page: Page) =>
  page.locator('#root *').evaluateAll((all) =>
    all.flatMap((part) => {
      const name = Object.keys(part).find((key) => key.startsWith('__reactProps'))
      const { id } = ((name && part[name as keyof typeof part]) ?? {}) as { id?: string }
      return id === undefined || id === part.id ? [] : [`${part.id} is ${id}`]
    }),
  )

test('React uses the same ids as the server for an open order', { tag: ONCE }, async ({ page }) => {
  await enter(page, demoAccount('shopper'))
  await page.context().request.delete('/api/cart')
  await fillCart(page, 'Salt and Time')
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
  await page.reload()
  await expect(page.locator('.ticket').first()).toBeVisible()
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main')!).some((name) => name.startsWith('__react')),
  )
  expect(await page.locator('[id^="_R_"]').count()).toBeGreaterThan(0)
  expect(await strangers(page)).toEqual([])
})

/** Registers a shopper with a cart and an unpaid order. Returns the server-rendered pages, each with texts. */
async function fillPages(page: Page) {
  await register(page, 'Wilhelmina')
  const { id, price } = await fillCart(page, 'Salt and Time')
  const order = { items: [{ productId: id, quantity: 1, price }], total: price, source: 'product' }
  const data = { ...order, paymentMethod: 'paypal', paymentId: 'p1' }
  const placed = await page.request.post('/api/orders', { data, headers: { origin: test.info().project.use.baseURL! } })
  const { id: orderId } = (await placed.json()) as { id: string }
  return [
    ['/', 'Wilhelmina', 'Your Number One Digital Hub', 'Gift Cards', 'Featured Products'],
    ['/categories', 'All Categories', 'product(s) found', 'Online Courses'],
    [`/product/${id}`, 'Salt and Time', 'Add to Cart', '$4.50', 'Sold by'],
    ['/cart', '1 item(s) in your cart', 'Salt and Time', 'Pay with PayPal', 'You have an order waiting for payment'],
    ['/orders', '1 order(s)', 'Salt and Time', 'Pay within'],
    [`/orders/${orderId}`, '1 order(s)', 'Salt and Time', 'Order details'],
    ['/profile', 'Wilhelmina', 'Last login: Today', 'Two-factor auth: Not enabled'],
  ] as const
}

test('a page shows its data before its script, and hydration reuses its elements', async ({ page, isMobile }) => {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 })
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        Object.assign(window, { shift: Reflect.get(window, 'shift') + value })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const pages = await fillPages(page)
  const scripts = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, (route) => scripts.promise.then(() => route.continue()))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url().slice(new URL(request.url()).origin.length)))
  const parts = page.locator('#root *')
  for (const [i, [path, ...texts]] of pages.entries()) {
    await page.goto(path, { waitUntil: 'commit' })
    for (const text of texts) await expect(page.locator('#root')).toContainText(text)
    // a wide screen has the search field in the bar, because a field in the page would move the content
    if (path === '/categories') await expect(page.getByRole('searchbox')).toBeVisible({ visible: isMobile })
    await expect(page.getByRole('link', { name: 'Cart, 1 item', exact: true })).toBeVisible()
    // marks every element; an element that React replaces loses its mark
    await parts.evaluateAll((all) => all.forEach((part) => part.setAttribute('data-mark', '')))
    const drawn = await parts.count()
    scripts.resolve()
    await untilAnswering(page)
    expect({ path, kept: (await page.locator('[data-mark]').count()) > drawn * 0.9 }).toEqual({ path, kept: true })
    expect({ path, strangers: await strangers(page) }).toEqual({ path, strangers: [] })
    // the page reads the account's look after hydration
    await expect.poll(() => asked).toContain('/api/preferences')
    const came = await page.evaluate(() => {
      const [own, shared] = ['own', 'shared'].map(
        (id) => JSON.parse(document.getElementById(id)!.textContent) as object,
      )
      return Object.keys({ ...shared, ...(own as { replies: object }).replies })
    })
    expect({ path, again: asked.splice(0).filter((url) => came.includes(url)) }).toEqual({ path, again: [] })
    // the script knows the state of the shop, which may add a line at the foot of a wide screen
    const shift = await page.evaluate(() => Reflect.get(window, 'shift') as number)
    expect({ path, isStill: shift < 0.001 || shift }).toEqual({ path, isStill: true })
    Object.assign(scripts, Promise.withResolvers<void>())
    // shows the other pages in dark mode
    if (i === 2) await page.evaluate(() => localStorage.setItem('preferences', JSON.stringify({ mode: 'dark' })))
  }
})

test(
  'without JavaScript a member sees every page, follows links and searches',
  { tag: ONCE },
  async ({ page, browser }) => {
    const pages = await fillPages(page)
    const { baseURL } = test.info().project.use
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: page.viewportSize(),
      storageState: await page.context().storageState(),
      baseURL: baseURL!,
    })
    const plain = await context.newPage()
    for (const [path, ...texts] of pages) {
      await plain.goto(path)
      for (const text of texts) await expect(plain.locator('#root')).toContainText(text)
    }
    await plain.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await plain.getByRole('main').getByRole('link', { name: 'E-Books', exact: true }).click()
    await expect(plain).toHaveURL('/categories?category=ebooks')
    await plain.getByRole('searchbox').fill('salt and time')
    await plain.getByRole('searchbox').press('Enter')
    await expect(plain).toHaveURL('/categories?q=salt+and+time')
    await plain.getByRole('link', { name: 'Salt and Time' }).first().click()
    await expect(plain.getByRole('heading', { level: 1, name: 'Salt and Time' })).toBeVisible()
    await plain.getByRole('link', { name: 'Cart, 1 item' }).click()
    await expect(plain.getByText('1 item(s) in your cart')).toBeVisible()
    await context.close()
  },
)

test.describe('before the script runs', () => {
  // the server renders the first visit in another time zone
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('hydration preserves the scroll position of a page', { tag: ONCE }, async ({ page }) => {
    const pages = await fillPages(page)
    const scripts = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, (route) => scripts.promise.then(() => route.continue()))
    // skips order pages, because they scroll to their order
    for (const [path, text] of pages.filter(([path]) => !path.startsWith('/orders/'))) {
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.locator('#root')).toContainText(text)
      const place = await page.evaluate(() => {
        scrollTo(0, 200)
        return scrollY
      })
      scripts.resolve()
      await untilAnswering(page)
      // the script of the page restores scroll positions from here on
      await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('manual')
      expect({ path, place: await page.evaluate(() => scrollY) }).toEqual({ path, place })
      Object.assign(scripts, Promise.withResolvers<void>())
    }
  })

  test(
    'replays waiting input, drops an old press, and shows Reload if a script fails',
    { tag: ONCE },
    async ({ page, context, faults }) => {
      await signUp(page)
      await context.clearCookies({ name: 'zone' })
      const scripts = Promise.withResolvers<boolean>()
      await page.route(/\/assets\/.*\.js$/, async (route) =>
        (await scripts.promise) ? route.continue() : route.abort(),
      )
      const open = async (path: string) => {
        Object.assign(scripts, Promise.withResolvers<boolean>())
        await page.goto(path, { waitUntil: 'commit' })
      }
      const add = page.getByRole('button', { name: /^Add .* to cart$/ })
      const cart = (count: string) =>
        expect(page.getByRole('link', { name: `Cart, ${count}`, exact: true })).toBeVisible()

      await open('/categories')
      // slows the clock, so that no press is too old when the scripts arrive on a slow machine
      await page.evaluate(() => {
        const clock = Date.now
        const start = clock()
        Date.now = () => start + (clock() - start) / 20
      })
      await add.nth(0).click()
      await add.nth(1).click()
      await expect(add.nth(0)).toHaveAttribute('aria-busy', 'true')
      scripts.resolve(true)
      await cart('2 items')
      // the cart on screen changes before the request is sent, so poll the server
      await expect.poll(async () => (await (await page.request.get('/api/cart')).json()) as object[]).toHaveLength(2)
      await expect(page.locator('button[aria-busy]')).toHaveCount(0)

      await open('/categories')
      await page.getByRole('searchbox').first().fill('Salt')
      await page.getByLabel('Sort').selectOption({ index: 1 })
      await add.nth(2).click()
      await page.evaluate(() => {
        const clock = Date.now
        Date.now = () => clock() + 3500
      })
      scripts.resolve(true)
      await expect(page).toHaveURL(/q=Salt/)
      await expect(page).toHaveURL(/sort=/)
      await expect(page.getByRole('searchbox').first()).toHaveValue('Salt')
      await cart('2 items')

      await open('/cart')
      await expect(page.getByRole('button', { name: /^Pay with/ }).first()).toBeDisabled()
      scripts.resolve(false)
      await expect(page.getByRole('alert').getByRole('button', { name: 'Reload' })).toBeVisible()
      Object.assign(scripts, Promise.withResolvers<boolean>())
      scripts.resolve(true)
      await page.getByRole('button', { name: 'Reload' }).click()
      await expect(page.getByRole('button', { name: /^Pay with/ }).first()).toBeEnabled()
      // the browser may report the failed scripts late
      forgive(faults, /net::ERR_FAILED|dynamically imported module/)
    },
  )
})
