import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { provider } from '../../test/provider.ts'
import type { Shop } from '../../src/app/shop.server.ts'
import { addToCart } from '../../src/cart/cart.contract.ts'
import { capturePayment, startPayment } from '../../src/checkout/checkout.contract.ts'
import { addCodes, openCodeVault } from '../../src/delivery/codes.server.ts'
import { grantDownload, revealCodes } from '../../src/delivery/delivery.contract.ts'
import { type CallOptions, send } from '../../src/kit/call.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { readConfig } from '../../src/app/settings.server.ts'
import type { Endpoint, Input } from '../../src/kit/contract.ts'
import { listMigrations, migrate } from '../../src/kit/migrate.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { getOrder } from '../../src/orders/orders.contract.ts'
import { packBackup } from './backup.pack.ts'
import { withClient } from './running.ts'
import { makeStore } from './store.test.help.ts'
import { wipeDatabase } from './wipe.ts'

type Store = Awaited<ReturnType<typeof makeStore>>

const buyerOf = async ({ server, identity }: Shop, email: string) => {
  const headers = { cookie: await identity.createSession(email) }
  const options: CallOptions = { base: server.url, headers, checkReply: true }
  return {
    headers,
    call: <E extends Endpoint>(endpoint: E, input: Input<E>) => send(endpoint, input, options),
  }
}

/** A shopper of the demo store buys a file and two codes; answers the order's id and what was downloaded. */
async function buy(shop: Shop, store: Store) {
  const { db } = shop.database
  const { id: sellerId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', 'like', 'seller%')
    .executeTakeFirstOrThrow()
  const card = await db
    .insertInto('products')
    .values({ sellerId, categoryId: 'gift-cards', title: 'Tea \\ "card"\n— ☕', priceCents: 500, delivery: 'code' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addCodes(db, openCodeVault(readSecret(readConfig(store.env))), card.id, ['TEA-1', 'TEA-2', 'TEA-3'])
  const file = await db
    .selectFrom('products')
    .select(['id', 'priceCents'])
    .where('delivery', '=', 'file')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const buyer = await buyerOf(shop, 'shopper@primo.example')
  await buyer.call(addToCart, { productId: card.id, quantity: 2 })
  await buyer.call(addToCart, { productId: file.id, quantity: 1 })
  const amount = toDecimal(2 * 500 + file.priceCents)
  const { id } = await buyer.call(startPayment, { amount, currency: 'USD', intent: 'capture' })
  await provider(shop.server).approve(id)
  const { orderId } = await buyer.call(capturePayment, { id })
  return { orderId, goods: await fetchGoods(shop, orderId) }
}

/** The hash of the file and the codes, as the buyer gets them. */
async function fetchGoods(shop: Shop, orderId: string) {
  const buyer = await buyerOf(shop, 'shopper@primo.example')
  const { lines } = await buyer.call(getOrder, { id: orderId })
  const ofFile = lines.find(({ delivery }) => delivery?.kind === 'file')!
  const ofCodes = lines.find(({ delivery }) => delivery?.kind !== 'file')!
  const { url } = await buyer.call(grantDownload, { id: orderId, lineId: ofFile.id })
  const bytes = await (await fetch(shop.server.url + url, { headers: buyer.headers })).bytes()
  const { codes } = await buyer.call(revealCodes, { id: orderId, lineId: ofCodes.id })
  return { sha256: createHash('sha256').update(bytes).digest('hex'), codes }
}

test('what was sold before a reset is downloaded after the restore: every row and byte is back', async () => {
  const store = await makeStore()
  expect((await store.run('seed')).code).toBe(0)
  const shop = await store.open()
  const { orderId, goods } = await buy(shop, store)
  expect(goods.codes).toHaveLength(2)
  const file = join(store.dataDir, 'a.tar.gz')
  const made = await store.run(`backup ${file}`)
  expect(made).toMatchObject({ code: 0, err: [] })
  expect(made.out[0]).toMatch(/: \d+ rows, 67 files \(/)
  expect(statSync(file).mode & 0o077).toBe(0)
  await store.close()

  const [before, rules] = [await store.read(), await readRules(store)]
  expect(before.tables['public.codes']).toHaveLength(3)
  expect(before.tables['sandbox.records']!.length).toBeGreaterThan(2)
  // that it was made is written down once it is
  expect(before.tables['public.backups']).toHaveLength(1)
  before.tables['public.backups'] = []
  expect((await store.run('reset --yes')).code).toBe(0)
  expect((await store.read()).tables['public.users']).toEqual([])
  rmSync(join(store.dataDir, 'secret'))
  const restored = await store.run(`restore ${file}`)
  expect(restored).toMatchObject({ code: 0, err: [] })
  expect(restored.out.at(-1)).toContain('every row read back equal')
  expect(await store.read()).toEqual(before)
  expect(await readRules(store)).toEqual(rules)

  const again = await store.open()
  expect(await fetchGoods(again, orderId)).toEqual(goods)
  // numbers go on where they were
  expect((await buy(again, store)).goods.sha256).toBe(goods.sha256)
}, 180_000)

test('a backup that is made while people buy opens on another machine', async () => {
  // whoever buys without a pause is asked who they are, sooner or later, and nobody answers here
  const store = await makeStore({ RISK_CHECKS: 'watch' })
  await store.run('seed')
  const shop = await store.open({ hasJobs: true })
  const { orderId, goods } = await buy(shop, store)
  const files: string[] = []
  let isOver = false
  const buying = (async () => {
    while (!isOver) await buy(shop, store)
  })()
  for (const n of [1, 2, 3]) {
    const file = join(store.dataDir, `${n}.tar.gz`)
    expect((await store.run(`backup ${file}`)).code).toBe(0)
    files.push(file)
  }
  isOver = true
  await buying
  const other = await makeStore()
  // references and books are checked as the rows come in
  for (const file of files) expect(await other.run(`restore ${file} --yes`)).toMatchObject({ code: 0, err: [] })
  expect(await fetchGoods(await other.open(), orderId)).toEqual(goods)
}, 180_000)

/** Every constraint and trigger as it stands. */
const readRules = ({ url }: Store) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(`
      SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
      UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled::text, true FROM pg_trigger WHERE NOT tgisinternal
      ORDER BY 1, 2, 3`)
    return rows
  })

/** A small store with one account, and a backup of it. */
async function makeBackup(more: Record<string, string> = {}) {
  const store = await makeStore(more)
  await store.run('user add ada@shop.example')
  const file = join(store.dataDir, 'a.tar.gz')
  expect((await store.run(`backup ${file}`)).code).toBe(0)
  return { ...store, file }
}

const countUsers = async (store: Store) => (await store.read()).tables['public.users']!.length

test('a store in use is not overwritten: not without --yes, and not while the shop runs', async () => {
  const store = await makeBackup()
  await store.run('user add bob@shop.example')
  expect(await store.run(`restore ${store.file}`)).toMatchObject({
    code: 1,
    err: [expect.stringContaining('This store is not empty: 2 accounts, 0 products, 0 orders.')],
  })
  await store.open()
  for (const command of [`restore ${store.file} --yes`, 'reset --yes']) {
    expect(await store.run(command)).toMatchObject({ code: 1, err: [expect.stringContaining('The shop is running')] })
  }
  await store.close()
  expect(await countUsers(store)).toBe(2)
  expect((await store.run(`restore ${store.file} --yes`)).code).toBe(0)
  expect(await countUsers(store)).toBe(1)
})

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20), 'damaged'],
  ['cut in half', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'damaged'],
  ['of which nothing came', () => Buffer.alloc(0), 'damaged'],
  ['with a bit turned over', (bytes: Buffer) => bytes.fill(bytes[600]! ^ 1, 600, 601), 'damaged'],
  ['with a row changed', (bytes: Buffer) => repack(bytes, 'ada@shop', 'eve@shop'), 'rows of public.users'],
  ['without its end', (bytes: Buffer) => repack(bytes, 'primo-end.json', 'primo-not.json'), 'damaged'],
  ['of a newer version', (bytes: Buffer) => repack(bytes, '001_identity.sql', '901_identity.sql'), '901_identity.sql'],
  ['that is none', () => gzipSync('nothing '.repeat(200)), 'damaged'],
])('a backup %s is refused before anything is touched', async (_, spoil, complaint) => {
  const store = await makeBackup()
  writeFileSync(store.file, spoil(readFileSync(store.file)))
  const before = await store.read()
  expect(await store.run(`restore ${store.file} --yes`)).toMatchObject({
    code: 1,
    out: [],
    err: [expect.stringContaining(complaint)],
  })
  expect(await store.read()).toEqual(before)
})

/** Changes every mention of a text, of the same length; a head's sum is adjusted so that the tar itself stays whole. */
function repack(bytes: Buffer, from: string, to: string): Buffer {
  const tar = Buffer.from(gunzipSync(bytes).toString('latin1').replaceAll(from, to), 'latin1')
  const at = tar.indexOf(to)
  if (at % 512 === 0) {
    let sum = 8 * 0x20
    for (let byte = 0; byte < 512; byte++) if (byte < 148 || byte >= 156) sum += tar[at + byte]!
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1')
  }
  return gzipSync(tar)
}

test('a backup of an older version is brought up to date', async () => {
  const store = await makeStore()
  const old = listMigrations().slice(0, 9)
  await withClient(store.url, wipeDatabase)
  await migrate(store.url, { only: old })
  await withClient(store.url, (client) => client.query(`INSERT INTO users (email) VALUES ('old@shop.example')`))
  const file = join(store.dataDir, 'old.tar.gz')
  expect((await store.run(`backup ${file}`)).code).toBe(0)
  expect(await store.run('user list')).toMatchObject({ code: 1, err: [expect.stringContaining('lacks migrations')] })
  expect(await store.run(`restore ${file} --yes`)).toMatchObject({ code: 0, err: [] })
  expect((await store.run('user list')).out).toEqual([expect.stringContaining('old@shop.example')])
  expect((await store.run('migrate')).out).toEqual(['The database is up to date.'])
})

test('what comes while a backup is made is not in it, in no table', async () => {
  const store = await makeStore()
  await store.run('user add ada@shop.example')
  const end = await withClient(store.url, async (client) => {
    const bytes = packBackup(readConfig(store.env), client)
    await bytes.next()
    await store.run('user add bob@shop.example')
    for (;;) {
      const step = await bytes.next()
      if (step.done) return step.value
    }
  })
  expect(await countUsers(store)).toBe(2)
  expect(end.tables).toMatchObject({ 'public.accounts': { count: 1 }, 'public.users': { count: 1 } })
})

test('a file that is gone or changed in the store is named, and the rest is saved', async () => {
  const store = await makeStore()
  await store.run('seed')
  const [gone, changed] = readdirSync(join(store.dataDir, 'objects')).filter((name) => name !== 'tmp')
  rmSync(join(store.dataDir, 'objects', gone!))
  writeFileSync(join(store.dataDir, 'objects', changed!), 'something else')
  const file = join(store.dataDir, 'a.tar.gz')
  const made = await store.run(`backup ${file}`)
  expect(made.code).toBe(1)
  expect(made.out[0]).toContain('66 files')
  for (const key of [gone, changed]) expect(made.err.join()).toContain(key)
  const restored = await store.run(`restore ${file} --yes`)
  expect(restored.code).toBe(0)
  expect(restored.err.join()).toContain(gone)
}, 180_000)

test('codes are not restored under a secret that cannot read them, unless one says so', async () => {
  const store = await makeStore({ SECRET: 'the secret of the first machine, 32+' })
  await store.run('seed')
  const shop = await store.open()
  await buy(shop, store)
  await store.close()
  const file = join(store.dataDir, 'a.tar.gz')
  await store.run(`backup ${file}`)
  const other = await makeStore({ SECRET: 'the secret of a second machine, 32+' })
  expect(await other.run(`restore ${file}`)).toMatchObject({ code: 1, err: [expect.stringContaining('its 3 codes')] })
  expect(await countUsers(other)).toBe(0)
  expect((await other.run(`restore ${file} --other-secret`)).code).toBe(0)
  expect(await countUsers(other)).toBe(3)
}, 180_000)

test('work that was queued is queued again: mails, refunds and events', async () => {
  const store = await makeBackup()
  await withClient(store.url, async (client) => {
    await client.query(`INSERT INTO mails (key, recipient, subject, body_text, body_html, sent_at)
      VALUES ('a', 'ada@shop.example', 'A', '', '', now()), ('b', 'ada@shop.example', 'B', '', '', NULL)`)
    await client.query(
      `INSERT INTO webhook_events (provider, event_id, event_type, body) VALUES ('paypal', 'WH-1', 'X', '{}')`,
    )
  })
  const file = join(store.dataDir, 'b.tar.gz')
  await store.run(`backup ${file}`)
  expect((await store.run(`restore ${file} --yes`)).code).toBe(0)
  const jobs = await withClient(store.url, async (client) => {
    const { rows } = await client.query<{ task: string }>(
      'SELECT task_identifier AS task FROM graphile_worker.jobs ORDER BY 1',
    )
    return rows.map(({ task }) => task)
  })
  expect(jobs).toEqual(['send_mail', 'webhook'])
})

test('a backup takes no name that is taken, and leaves nothing half-made', async () => {
  const store = await makeBackup()
  expect(await store.run(`backup ${store.file}`)).toMatchObject({
    code: 1,
    err: [expect.stringContaining('is there already')],
  })
  expect((await store.run(`backup ${store.dataDir}/none/a.tar.gz`)).err.join()).toContain('is no folder')
  await withClient(store.url, wipeDatabase)
  expect((await store.run(`backup ${store.dataDir}/b.tar.gz`)).err.join()).toContain('nothing to back up')
  expect(readdirSync(store.dataDir).filter((name) => name.includes('tar.gz'))).toEqual(['a.tar.gz'])
  expect((await store.run(`restore ${store.dataDir}/c.tar.gz`)).err.join()).toContain('There is no file')
})

test("somebody else's database is not emptied", async () => {
  const store = await makeBackup()
  await withClient(store.url, async (client) => {
    await wipeDatabase(client)
    await client.query('CREATE TABLE theirs AS SELECT 1 AS n')
  })
  for (const command of ['reset --yes', `restore ${store.file} --yes`]) {
    expect(await store.run(command)).toMatchObject({ code: 1, err: [expect.stringContaining('something else')] })
  }
  expect(await withClient(store.url, async (client) => (await client.query('SELECT n FROM theirs')).rowCount)).toBe(1)
})
