import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { log } from '../../kit/log/log.server.ts'
import { createLimiter } from '../../kit/serve/limit.server.ts'
import { createReader } from '../../kit/serve/reader.server.ts'
import { PAGE_PATHS } from '../shell/paths.ts'
import { createFirstView, createViewCache } from './firstView.server.ts'

const open = openShopForTests({ RATES_URL: 'http://127.0.0.1:9/rates' })
const EVIL = `</script><img src=x onerror=alert(1)>'"$&`

async function visit({ cookie }: Person, path: string, cookies = 'zone=Europe/Berlin') {
  const answer = await fetch(open.shop.url + path, { headers: { cookie: `${cookie}; ${cookies}` } })
  return { answer, html: await answer.text() }
}
/** Returns the compressed page. */
const packed = ({ cookie }: Person, path: string) =>
  new Promise<Buffer>((done) =>
    request(
      open.shop.url + path,
      { headers: { cookie: `${cookie}; zone=Europe/Berlin`, 'accept-encoding': 'gzip' } },
      async (answer) => {
        expect(answer.headers['content-encoding']).toBe('gzip')
        done(Buffer.concat(await answer.toArray()))
      },
    ).end(),
  )
/** Removes values that differ between visits. */
const still = (html: string) => html.replace(/"now":\d+|\d+:\d\d [AP]M/g, '')
const dataOf = (html: string, id: string) =>
  JSON.parse(new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's').exec(html)![1]!) as {
    replies: Record<string, [{ firstName: string }]>
  }

test('the files that a drawn page names exist', async () => {
  const member = await open.shop.join()
  const named = new Set<string>()
  for (const path of ['/', '/cart', '/orders', '/library', '/my-products']) {
    const { html } = await visit(member, path)
    for (const [file] of html.matchAll(/\/assets\/[\w.-]+/g)) named.add(file)
  }
  expect([...named].some((file) => file.startsWith('/assets/scenes-'))).toBe(true)
  const answers = await Promise.all([...named].map(async (file) => [(await fetch(open.shop.url + file)).status, file]))
  expect(answers.filter(([status]) => status !== 200)).toEqual([])
})

test('two members get one cached page with their own values, and shared caches must not store it', async () => {
  const [ada, bob] = [await open.shop.join({ firstName: 'Adaline' }), await open.shop.join({ firstName: 'Bobbert' })]
  const { id } = await addProduct(open.shop, { title: 'A shared book' })
  await ada.call(addToCart, { productId: id, quantity: 3 })
  for (const path of ['/', '/categories', `/product/${id}`, '/cart', '/orders', '/profile', '/settings'])
    for (const [one, other] of [
      [ada, 'Bobbert', bob],
      [bob, 'Adaline', ada],
      [ada, 'Bobbert', bob],
    ].map(
      ([person, name, stranger]) =>
        [person as Person, [name as string, (stranger as Person).id, (stranger as Person).email]] as const,
    )) {
      const { answer, html } = await visit(one, path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
      expect(answer.headers.get('x-member')).toBe(one.id)
      expect(html).toContain(one.email)
      expect(html).toContain(one === ada ? 'aria-label="Cart, 1 item"' : 'aria-label="Cart, 0 items"')
      for (const text of other) expect(html).not.toContain(text)
      expect(html).not.toContain('slot-')
    }
  expect((await visit(ada, '/')).html).toMatch(/Good (morning|afternoon|evening), Adaline</)
  expect((await visit(ada, `/product/${id}`)).html).toMatch(/<h1[^>]*>A shared book<\/h1>/)
  expect((await visit(bob, '/cart')).html).toContain('Your cart is empty')
})

test('draws the tab Selling for a seller without orders, and not for a shopper', async () => {
  const [seller, shopper] = [await open.shop.join(), await open.shop.join()]
  const { id } = await addProduct(open.shop)
  await open.shop.database.pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [seller.id, id])
  const tab = />Selling<\/a>/
  for (const state of ['drawn', 'cached']) {
    expect((await visit(seller, '/orders')).html, state).toMatch(tab)
    expect((await visit(shopper, '/orders')).html, state).not.toMatch(tab)
  }
})

test('shows a new seller the payout minimum instead of the payout details', async () => {
  const seller = await open.shop.join()
  const { html } = await visit(seller, '/balance')
  const text = html.replaceAll('<!-- -->', '')
  for (const shown of ['You can’t request a payout yet. Payouts start at $25.00.', 'After 7 days'])
    expect(text).toContain(shown)
  for (const text of ['When you ask for it', 'On hold', 'We don’t know where']) expect(html).not.toContain(`>${text}`)
})

test('escapes a name and a title everywhere', async () => {
  const eve = await open.shop.join({ firstName: EVIL })
  const { id } = await addProduct(open.shop, { title: EVIL })
  await eve.call(addToCart, { productId: id, quantity: 1 })
  for (const path of [
    '/',
    '/categories',
    `/product/${id}`,
    '/cart',
    '/profile',
    `/categories?q=${encodeURIComponent(EVIL)}`,
  ]) {
    const { html } = await visit(eve, path)
    expect(html).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toContain('<img src=x')
    expect(dataOf(html, 'own').replies['/api/auth/user']![0].firstName).toBe(EVIL)
  }
})

test("renders a page in the browser's time zone and currency, at the rate of the shop", async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop, { price: '10.00' })
  await open.shop.database.pool.query(
    `INSERT INTO exchange_rates (base, rates, read_at, fetched_at)
     VALUES ('USD', '{"USD": 1, "EUR": 0.5}', jsonb_build_object('EUR', now()), now())`,
  )
  const priceFor = async (currency: string) =>
    /class="[^"]*price--large[^"]*"[^>]*>([^<]*)/.exec(
      (await visit(ada, `/product/${id}`, `currency=${currency}`)).html,
    )![1]
  expect(await priceFor('EUR')).toBe('€5.00')
  for (const other of ['USD', 'XXX', 'GBP', encodeURIComponent('{"code":"EUR","symbol":"€","rate":0.01}')])
    expect(await priceFor(other)).toBe('$10.00')
  const zoneFor = async (zone: string) => /"zone":"([^"]*)"/.exec((await visit(ada, '/', `zone=${zone}`)).html)![1]
  for (const [given, drawn] of [
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['aSiA/tOkYo', 'Asia/Tokyo'],
    ['+01:00', 'UTC'],
    ['Nowhere/Else', 'UTC'],
    ['%', 'UTC'],
  ] as const)
    expect([given, await zoneFor(given)]).toEqual([given, drawn])
  const clocks = await Promise.all(
    ['UTC', 'Asia/Tokyo'].map(
      async (zone) => /data-clock="[^"]*">([^<]*)/.exec((await visit(ada, '/', `zone=${zone}`)).html)![1],
    ),
  )
  expect(clocks[0]).not.toBe(clocks[1])
})

test("caches no search in a page, and renders a seller's own product for the seller only", async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop, { title: 'Findable' })
  for (const [query, isSearch] of [
    ['?q=rhubarb', true],
    ['?x=rhubarb', false],
    ['', false],
  ] as const) {
    const { html } = await visit(ada, `/categories${query}`)
    expect([query, html.includes('rhubarb'), html.includes('Findable</')]).toEqual([query, isSearch, !isSearch])
  }
  const { rows } = await open.shop.database.pool.query<{ email: string }>(
    'SELECT email FROM users JOIN products ON seller_id = users.id WHERE products.id = $1',
    [id],
  )
  const seller = { ...ada, cookie: await open.shop.identity.createSession(rows[0]!.email) }
  for (const [person, isOwn] of [
    [ada, false],
    [seller, true],
    [ada, false],
  ] as const)
    expect((await visit(person, `/product/${id}`)).html.includes('height:8rem')).toBe(isOwn)
})

test('the size of a page reveals nothing about its member to a search', async () => {
  const [ada, bob] = [await open.shop.join({ firstName: 'Adaline' }), await open.shop.join({ firstName: 'Bobbert' })]
  await open.shop.database.pool.query("UPDATE users SET email = 'quincunx@test.example' WHERE id = $1", [ada.id])
  await open.shop.database.pool.query("UPDATE users SET email = 'zephyrus@test.example' WHERE id = $1", [bob.id])
  for (const guess of ['quincunx@test.example', 'zephyrus@test.example', 'Adaline', 'Bobbert']) {
    const path = `/categories?q=${encodeURIComponent(guess)}`
    const [one, other] = [await packed(ada, path), await packed(bob, path)]
    expect(gunzipSync(one).toString()).toContain('quincunx@')
    expect({ guess, bytes: one.length }).toEqual({ guess, bytes: other.length })
  }
})

test('payment buttons are disabled until the script runs', async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop)
  await ada.call(addToCart, { productId: id, quantity: 1 })
  const disabled = async (path: string) =>
    [...(await visit(ada, path)).html.matchAll(/<button[^>]*disabled=""[^>]*>.*?<\/button>/g)].map(([button]) =>
      button.replace(/<[^>]*>/g, ''),
    )
  expect(await disabled('/cart')).toContain('Pay with PayPal')
  expect(await disabled(`/product/${id}`)).toContain('Buy Now')
})

test.each(PAGE_PATHS)('renders %s on the server without an error', async (path) => {
  const staff = await open.shop.join({ isAdmin: true })
  const { id } = await addProduct(open.shop)
  const { rows } = await open.shop.database.pool.query<{ handle: string }>(
    'SELECT handle FROM storefronts JOIN products ON seller_id = user_id WHERE id = $1',
    [id],
  )
  const address = path.replace(':handle', rows[0]!.handle).replace(/:\w+/, id)
  const problems = vi.spyOn(log, 'error')
  const { html } = await visit(staff, address)
  expect(problems).not.toHaveBeenCalled()
  expect(html).toContain('id="own"')
})

test('a HEAD gets no body, staff get their own pages, and an ended session gets the landing page', async () => {
  const [ada, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const head = await fetch(open.shop.url, { method: 'HEAD', headers: { cookie: ada.cookie } })
  expect([head.status, await head.text(), head.headers.get('x-member')]).toEqual([200, '', ada.id])
  expect((await visit(staff, '/admin/orders')).html).toContain('id="own"')
  expect((await visit(ada, '/admin/orders')).html).not.toContain('id="own"')
  await visit(ada, '/')
  await open.shop.database.pool.query('DELETE FROM sessions WHERE user_id = $1', [ada.id])
  // The node learns of the deleted session after some moments.
  await expect.poll(async () => (await visit(ada, '/')).answer.headers.get('x-member')).toBe(null)
  const { html } = await visit(ada, '/')
  expect(html).not.toContain('id="own"')
  expect(html).not.toContain(ada.email)
})

test('a cached page changes with its data, and its compressed form has the same text', async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop, { title: 'Rye' })
  const path = `/product/${id}`
  const { html } = await visit(ada, path)
  expect(still(gunzipSync(await packed(ada, path)).toString())).toBe(still(html))
  const plain = await fetch(open.shop.url, { headers: { cookie: ada.cookie, 'accept-encoding': 'br, gzip;q=0' } })
  expect(plain.headers.get('content-encoding')).toBe(null)
  await open.shop.database.pool.query("UPDATE products SET title = 'Spelt' WHERE id = $1", [id])
  await expect.poll(async () => (await visit(ada, path)).html).toMatch(/<h1[^>]*>Spelt<\/h1>/)
})

const DIST = join(import.meta.dirname, '../../../dist')

/** Creates a first view with a separate cache and separate limits. */
function openView({ distDir = DIST, change = (shell: string) => shell, scale = 0 } = {}) {
  const { cache, routes } = open.shop
  const bus = { listen: async () => undefined, isUp: () => true, close: async () => undefined }
  const [views, limiter] = [createViewCache(bus), createLimiter({ scale })]
  const draw = createFirstView({
    distDir,
    shell: change(readFileSync(join(DIST, 'index.html'), 'utf8')),
    styleOf: () => '',
    reader: createReader(routes, cache, { limiter }),
    cache: views,
    limiter,
  })
  const ask = ({ id, email }: Person, url: string, cookie = '') =>
    draw({
      ...{ ...open.shop.database, url, ip: '127.0.0.1', user: { id, email, role: 'member' } },
      header: (name: string) => (name === 'cookie' ? cookie : undefined),
    } as never)
  return { ask, views }
}

test('renders only existing paths and objects, and nothing without the right build', async () => {
  const ada = await open.shop.join()
  const logged = vi.spyOn(log, 'error')
  onTestFinished(() => logged.mockRestore())
  for (const path of ['/nowhere', `/product/${crypto.randomUUID()}`, '/product/xyz'])
    expect((await visit(ada, path)).html).not.toContain('id="own"')
  expect(await (await fetch(open.shop.url)).text()).not.toContain('id="own"')
  expect(logged).not.toHaveBeenCalled()
  const older = openView({ change: (shell) => shell.replace(/data-build="[^"]*"/, 'data-build="older"') })
  expect(await older.ask(ada, '/')).toBe(null)
  expect(await openView({ distDir: '/nowhere' }).ask(ada, '/')).toBe(null)
  expect(logged).toHaveBeenCalledTimes(2)
})

test('limits the rendered pages of an account, and counts their reads against the limits of the routes', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const { id } = await addProduct(open.shop)
  const { ask } = openView({ scale: 1 })
  for (let i = 0; i < 30; i++) expect(await ask(ada, '/')).not.toBe(null)
  expect(await ask(ada, '/')).toBe(null)
  expect(await ask(bob, '/')).not.toBe(null)
  const { routes, cache, database } = open.shop
  const { read } = createReader(routes, cache, { limiter: createLimiter({ scale: 0.1 }) })
  const caller = { ...database, user: { id: ada.id }, ip: '127.0.0.1', header: () => undefined } as never
  for (let i = 0; i < 30; i++) await read(`/api/products/${id}`, caller)
  await expect(read(`/api/products/${id}`, caller)).rejects.toMatchObject({ status: 429 })
})

test('carts share a rendered page, and each cart shows its own count', async () => {
  const ada = await open.shop.join()
  const { ask, views } = openView()
  const counts: number[] = []
  for (const count of [0, 1, 2, 3, 4]) {
    const html = String((await ask(ada, '/'))!.body)
    expect(html).toContain(`aria-label="Cart, ${count} item${count === 1 ? '' : 's'}"`)
    expect(/"icon-btn__badge ">(.*?)</.exec(html)?.[1]).toBe(count > 0 ? String(count) : undefined)
    counts.push(views.count().entries)
    await ada.call(addToCart, { productId: (await addProduct(open.shop)).id, quantity: 7 })
  }
  expect(counts).toEqual([1, 2, 3, 3, 3])
})

const orderPath = (n: number) => `/orders/0190b3c2-7f58-7cc3-98c4-dc0c0c07398${n}`

test('invented addresses, zones and orders do not fill the cache', async () => {
  const ada = await open.shop.join()
  const { ask, views } = openView()
  for (const path of ['/categories', '/help/codes', '/', orderPath(1)]) await ask(ada, path)
  const { entries } = views.count()
  for (let i = 0; i < 5; i++) {
    for (const path of [`/categories?x=${i}`, `/categories?q=${i}`, `/help/${i}`, orderPath(i)])
      expect(await ask(ada, path)).not.toBe(null)
    await ask(ada, '/', `zone=Etc/GMT%2B${i}; currency=AB${String.fromCharCode(65 + i)}`)
  }
  expect(views.count().entries).toBe(entries)
})
