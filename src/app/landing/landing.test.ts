import sharp from 'sharp'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { decode } from '../../uploads/images/imageProcess.server.ts'
import { createLimiter } from '../../kit/serve/limit.server.ts'
import { createLanding } from './landing.server.ts'

const open = openShopForTests()
const TEMPLATE =
  '<head>%HEAD%</head><main>%SENT%<section class="pitch"><h1>Fast</h1>%FAN%</section>%LOOK%<p>%COUNT%</p></main>%YEAR%'

const away = { query: () => Promise.reject(new Error('away')) } as never

// The clock stands still, so that no limit renews.
const limiter = createLimiter({ now: () => 0 })

async function visit(path: string, pool = open.shop.database.pool, ip = '93.4.5.6', hasSignUp = true) {
  const { cache } = open.shop
  const landing = createLanding({
    ...{ cache, hasSignUp, limiter, pool },
    publicUrl: 'https://shop.example',
    storeName: 'Primo',
  })
  return (await landing(TEMPLATE)(path, ip)).plain.toString()
}

/** The titles of the products on the page, in their order. */
const titlesOn = (page: string) => [...page.matchAll(/<b class="clamp-2">(.*?)<\/b/g)].map(([, title]) => title)

test('shows products only while they are for sale', async () => {
  expect(await visit('/')).not.toMatch(/fan|look|<p>/)
  for (const categoryId of ['ebooks', 'audio'])
    await addProduct(open.shop, { title: categoryId, categoryId, price: '3.50' })
  await expect.poll(() => visit('/')).toContain('<p>2 products</p>')
  expect(titlesOn(await visit('/'))).toEqual(['ebooks', 'audio'])
  expect(await visit('/')).not.toContain('fan')
  const { id } = await addProduct(open.shop, { title: 'software', categoryId: 'software', price: '1234.00' })
  await expect.poll(() => visit('/')).toContain('class="fan"')
  const page = await visit('/')
  for (const text of ['<p>3 products</p>', 'E-Books', 'Audio', 'Software', '$3.50', `<a href="/product/${id}"`])
    expect(page).toContain(text)
  expect(page).toContain(`</main>${new Date().getFullYear()}`)
  expect(page).toContain('<link rel="canonical" href="https://shop.example/" />')
  await open.shop.database.pool.query(`UPDATE products SET is_active = false WHERE category_id = 'audio'`)
  await expect.poll(() => visit('/')).not.toContain('fan')
  expect(titlesOn(await visit('/'))).toEqual(['ebooks', 'software'])
})

test('shows at most six products: one of each category before a second one, and goods as good as money last', async () => {
  const { pool } = open.shop.database
  await pool.query('UPDATE products SET is_active = false')
  for (const title of ['Book 1', 'Book 2', 'Book 3', 'Book 4']) await addProduct(open.shop, { title })
  await addProduct(open.shop, { title: 'Coins', categoryId: 'crypto' })
  await addProduct(open.shop, { title: 'Rain', categoryId: 'audio' })
  await expect
    .poll(async () => titlesOn(await visit('/')))
    .toEqual(['Book 4', 'Rain', 'Coins', 'Book 3', 'Book 2', 'Book 1'])
  await pool.query(`UPDATE products SET featured_rank = 1 WHERE title = 'Book 2'`)
  await addProduct(open.shop, { title: 'Snow', categoryId: 'audio' })
  await expect
    .poll(async () => titlesOn(await visit('/')))
    .toEqual(['Book 2', 'Snow', 'Coins', 'Book 4', 'Rain', 'Book 3'])
})

test('shows printed covers as files, which only listed products have', async () => {
  const { id } = await addProduct(open.shop, { title: 'Salt & <Time>' })
  await expect.poll(() => visit('/')).toContain(`src="/images/covers/${id}.svg"`)
  const cover = () => fetch(`${open.shop.url}/images/covers/${id}.svg`)
  const { status, headers } = await cover()
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
  expect(await (await cover()).text()).toMatch(/^<svg [^>]*viewBox="0 0 320 240".*<\/svg>$/s)
  await open.shop.database.pool.query('UPDATE products SET is_active = false WHERE id = $1', [id])
  await expect.poll(async () => (await cover()).status).toBe(404)
})

test('reads the product of a cover once for all visitors', async () => {
  const { id } = await addProduct(open.shop)
  const read = vi.spyOn(pg.Client.prototype, 'query')
  const countReads = async () => {
    expect((await fetch(`${open.shop.url}/images/covers/${id}.svg`)).status).toBe(200)
    return read.mock.calls.filter(([query]) => /readProduct$/.test((query as { name?: string }).name ?? '')).length
  }
  const first = await countReads()
  expect(first).toBeGreaterThan(0)
  expect(await countReads()).toBe(first)
  read.mockRestore()
})

test('shows the image of a product, its lowest price, and a long title cut at a word', async () => {
  await open.shop.database.pool.query('UPDATE products SET is_active = false')
  const title = 'A long walk through the quiet valleys of the north'
  const { id } = await addProduct(open.shop, { title, price: '4.00' })
  const { id: image } = await open.shop.database.db
    .insertInto('objects')
    .values({ userId: (await open.shop.join()).id, expiresAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await open.shop.asOwner(`UPDATE products SET image_object_id = '${image}', most_cents = 900 WHERE id = '${id}'`)
  await expect.poll(() => visit('/')).toContain(`src="/images/${image}/640.webp"`)
  const page = await visit('/')
  expect(titlesOn(page)).toEqual(['A long walk through the quiet…'])
  expect(page).toContain('From $4.00')
})

test('shows the product of a shared link with its price, link preview and structured data, escaped', async () => {
  const title = 'Bread %SENT% </script><b>by weight</b> & "salt"'
  const { id } = await addProduct(open.shop, { title, price: '14.50' })
  const page = await visit(`/product/${id}`)
  const escaped = 'Bread %SENT% &lt;/script&gt;&lt;b&gt;by weight&lt;/b&gt; &amp; &quot;salt&quot;'
  expect(page).toContain(`<h1 id="sent">${escaped}</h1>`)
  expect(page).toContain('<h2>Fast</h2>')
  for (const text of [
    'In the shop',
    '$14.50',
    'E-Books · TXT',
    `href="/api/login?returnTo=%2Fproduct%2F${id}"`,
    `action="/api/login/sign-up?returnTo=%2Fproduct%2F${id}"`,
  ])
    expect(page).toContain(text)
  for (const [name, value] of [
    ['og:title', escaped],
    ['og:image', `https://shop.example/images/preview/${id}.jpg`],
    ['og:url', `https://shop.example/product/${id}`],
    ['product:price:amount', '14.50'],
  ])
    expect(page).toContain(`<meta property="${name}" content="${value}" />`)
  const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)!
  expect(JSON.parse(data!)).toMatchObject({ '@type': 'Product', name: title, offers: { price: '14.50' } })
  expect(page).not.toContain('<b>by weight')
  // A second visit reads nothing until the product changes.
  const visitTwice = async () => (await visit(`/product/${id}`)) && visit(`/product/${id}`, away)
  await expect.poll(visitTwice).toBe(page)
  await open.shop.database.pool.query("UPDATE products SET title = 'Rye' WHERE id = $1", [id])
  await expect.poll(() => visit(`/product/${id}`)).toContain('<h1 id="sent">Rye</h1>')
})

test('leads from a shared product to the identity provider if the shop has no sign-up page', async () => {
  const { id } = await addProduct(open.shop)
  const page = await visit(`/product/${id}`, undefined, undefined, false)
  expect(page).toContain(`href="/api/login?sign-up&amp;returnTo=%2Fproduct%2F${id}"`)
  expect(page).not.toContain('name="email"')
})

test('adds a rating to structured data only if no review of the product is a sample', async () => {
  const { id } = await addProduct(open.shop)
  const rate = (samples: number) =>
    open.shop.database.pool.query(
      `INSERT INTO ratings (product_id, stars_5, samples) VALUES ($1, 3, $2)
      ON CONFLICT (product_id) DO UPDATE SET samples = excluded.samples`,
      [id, samples],
    )
  await rate(2)
  await expect.poll(() => visit(`/product/${id}`)).not.toContain('aggregateRating')
  await rate(0)
  await open.shop.database.pool.query("UPDATE products SET title = 'Rated' WHERE id = $1", [id])
  await expect
    .poll(() => visit(`/product/${id}`))
    .toContain('"aggregateRating":{"@type":"AggregateRating","ratingValue":"5.0"')
})

test('reveals nothing about an unlisted product, and shows the page while the database is down', async () => {
  const { id } = await addProduct(open.shop, { title: 'A secret' })
  await open.shop.database.pool.query('UPDATE products SET is_active = false WHERE id = $1', [id])
  for (const path of [`/product/${id}`, `/product/${crypto.randomUUID()}`, '/product/x', '/cart']) {
    expect(await visit(path)).not.toMatch(/secret|In the shop/)
    expect(await visit(path)).toContain('<h1>Fast</h1>')
  }
  expect(await visit(`/product/${id}`, away)).toContain('<h1>Fast</h1>')
  expect((await fetch(`${open.shop.url}/images/preview/${id}.jpg`)).status).toBe(404)
})

test('shows only the seller of a shared link, also at a former address', async () => {
  const { id } = await addProduct(open.shop)
  const { db } = open.shop.database
  const { handle, userId } = await db
    .selectFrom('storefronts')
    .innerJoin('products', 'sellerId', 'userId')
    .select(['handle', 'userId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const bio = 'Salt & <b>time</b> %HEAD%'
  await db.insertInto('sellerHandles').values({ handle: 'salt-and-time', userId }).execute()
  await db.updateTable('storefronts').set({ handle: 'salt-and-time', bio }).where('userId', '=', userId).execute()
  for (const path of [`/seller/${handle}`, '/seller/salt-and-time', '/seller/Salt-And-Time']) {
    await expect.poll(() => visit(path)).toContain('<h1 id="sent">Sally P.</h1>')
    const page = await visit(path)
    for (const text of ['Salt &amp; &lt;b&gt;time&lt;/b&gt; %HEAD%', '1 on sale', 'returnTo=%2Fseller%2Fsalt-and-time'])
      expect(page).toContain(text)
    expect(page).toContain(
      '<meta property="og:image" content="https://shop.example/images/sellers/salt-and-time.jpg" />',
    )
    expect(page).toContain('<link rel="canonical" href="https://shop.example/seller/salt-and-time" />')
    expect(page).not.toContain('<b>time')
  }
  await db.updateTable('products').set({ isSuspended: true }).where('id', '=', id).execute()
  await expect.poll(() => visit('/seller/salt-and-time')).toContain('Nothing on sale at the moment')
  for (const path of ['/seller/nobody-here', '/seller/x', '/seller/admin', '/seller/'])
    expect(await visit(path)).toContain('<h1>Fast</h1>')
})

test('shows the picture, colours and links of a seller’s page to visitors, escaped', async () => {
  const { id } = await addProduct(open.shop)
  const { db } = open.shop.database
  const { handle, userId } = await db
    .selectFrom('storefronts')
    .innerJoin('products', 'sellerId', 'userId')
    .select(['handle', 'userId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await expect.poll(() => visit(`/seller/${handle}`)).toContain('1 on sale')
  expect(await visit(`/seller/${handle}`)).not.toContain('--fill:')
  await db.insertInto('storefrontDesigns').values({ userId, headerColor: '#ffe066', accentColor: '#1a3d7c' }).execute()
  const url = 'https://example.com/?a=1&b=2'
  await db.insertInto('storefrontLinks').values({ userId, position: 1, label: '<b>Blog</b>', url }).execute()
  await expect.poll(() => visit(`/seller/${handle}`)).toContain('href="https://example.com/?a=1&amp;b=2"')
  const page = await visit(`/seller/${handle}`)
  expect(page).toMatch(/--fill:light-dark\(#ffe066, #\w{6}\);--muted:currentColor;color:light-dark\(#000000, #ffffff\)/)
  expect(page).toContain('--primary:light-dark(#1a3d7c,')
  expect(page).toContain('&lt;b&gt;Blog&lt;/b&gt;')
  expect(page).toContain('rel="noopener noreferrer nofollow ugc"')
})

test('reads at most 300 invented links a minute for a network, but always cached links and those of other networks', async () => {
  const { id } = await addProduct(open.shop, { title: 'Kept' })
  const shared = `/product/${id}`
  let reads = 0
  const counted = {
    query: ({ name }: { name: string }) => {
      if (name === 'product.readProduct') reads++
      return Promise.resolve({ rows: [], fields: [] })
    },
  } as never
  const guess = (ip: string) => visit(`/product/${crypto.randomUUID()}`, counted, ip)
  for (let n = 0; n < 310; n++) expect(await guess('2a00:1450::1')).toContain('<h1>Fast</h1>')
  expect(reads).toBe(300)
  await expect.poll(async () => (await visit(shared)) && visit(shared, counted, '2a00:1450::2')).toContain('Kept')
  const before = reads
  await guess('2a00:1450::3')
  expect(reads).toBe(before)
  await guess('93.7.8.9')
  expect(reads).toBe(before + 1)
})

test('renders the link preview of a printed cover as JPEG in the size of social networks', async () => {
  const { id } = await addProduct(open.shop, { title: 'Salt & <Time>\u0001' })
  const answer = await fetch(`${open.shop.url}/images/preview/${id}.jpg`)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([format, width, height]).toEqual(['jpeg', 1200, 630])
  // The SVG decoder is closed again.
  const original = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  expect(await decode({ kind: 'check', original })).toBe('damaged')
})
