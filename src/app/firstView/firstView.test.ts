import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { createAsk } from '../../kit/serve/ask.server.ts'
import { createFirstView } from './firstView.server.ts'

const open = openShopForTests()
const EVIL = `</script><img src=x onerror=alert(1)>'"$&`

async function visit({ cookie }: Person, path: string, cookies = 'zone=Europe/Berlin') {
  const answer = await fetch(open.shop.url + path, { headers: { cookie: `${cookie}; ${cookies}` } })
  return { answer, html: await answer.text() }
}
/** Without what differs from visit to visit. */
const still = (html: string) => html.replace(/"now":\d+|\d+:\d\d [AP]M/g, '')
const dataOf = (html: string, id: string) =>
  JSON.parse(new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's').exec(html)![1]!) as {
    replies: Record<string, [{ firstName: string }]>
  }

test('two members get one page with the values of their own, and no shared cache may keep it', async () => {
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

test('a name and a title are text wherever they stand', async () => {
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
  for (const zone of ['Nowhere/Else', '%3Cimg%3E', '%'])
    expect((await visit(eve, '/', `zone=${zone}; currency=%7B%22symbol%22%3A%22%3Cimg%22%7D`)).html).toContain(
      '"zone":"UTC"',
    )
})

test('a page is drawn in the time and currency of its browser', async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop, { price: '10.00' })
  const euro = encodeURIComponent(JSON.stringify({ code: 'EUR', symbol: '€', rate: 0.5 }))
  expect((await visit(ada, `/product/${id}`, `currency=${euro}`)).html).toContain('€5.00')
  expect((await visit(ada, `/product/${id}`)).html).toContain('$10.00')
  const clocks = await Promise.all(
    ['UTC', 'Asia/Tokyo'].map(
      async (zone) => /data-clock="[^"]*">([^<]*)/.exec((await visit(ada, '/', `zone=${zone}`)).html)![1],
    ),
  )
  expect(clocks[0]).not.toBe(clocks[1])
})

test('what was drawn for many changes with its data, and is the same packed', async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop, { title: 'Rye' })
  const path = `/product/${id}`
  const { html } = await visit(ada, path)
  const packed = await new Promise<Buffer>((done) =>
    request(
      open.shop.url + path,
      { headers: { cookie: `${ada.cookie}; zone=Europe/Berlin`, 'accept-encoding': 'gzip' } },
      async (answer) => {
        expect(answer.headers['content-encoding']).toBe('gzip')
        done(Buffer.concat(await answer.toArray()))
      },
    ).end(),
  )
  expect(still(gunzipSync(packed).toString())).toBe(still(html))
  await open.shop.database.pool.query("UPDATE products SET title = 'Spelt' WHERE id = $1", [id])
  await expect.poll(async () => (await visit(ada, path)).html).toMatch(/<h1[^>]*>Spelt<\/h1>/)
})

test('only pages of the caller are drawn, and a page that cannot be drawn comes empty', async () => {
  const ada = await open.shop.join()
  expect((await visit(ada, '/admin/orders')).html).not.toContain('id="own"')
  expect((await visit(ada, '/nowhere')).html).not.toContain('id="own"')
  expect((await visit(ada, `/product/${crypto.randomUUID()}`)).html).not.toContain('id="own"')
  expect(await (await fetch(open.shop.url)).text()).not.toContain('id="own"')
  const { cache, routes, database } = open.shop
  const view = createFirstView({
    distDir: '/nowhere',
    shell: '<html data-build="1">',
    asking: createAsk(routes, cache),
    cache,
  })
  const user = { id: ada.id, email: ada.email, role: 'member' } as const
  expect(await view({ ...database, url: '/', user, header: () => undefined } as never)).toBe(null)
})
