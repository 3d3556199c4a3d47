import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startS3 } from '../../sandbox/s3/server.ts'
import { provider } from '../../test/provider.ts'
import { onDatabase } from '../../test/server.ts'
import type { Shop } from '../../src/app/shop.server.ts'
import { addToCart } from '../../src/cart/cart.contract.ts'
import { capturePayment, startPayment } from '../../src/checkout/checkout.contract.ts'
import { addCodes } from '../../src/delivery/codes/codes.store.server.ts'
import { openCodeVault } from '../../src/delivery/codes/vault.server.ts'
import { revealCodes } from '../../src/delivery/codes/codes.contract.ts'
import { grantDownload } from '../../src/delivery/files/files.contract.ts'
import { type CallOptions, send } from '../../src/kit/call.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { readConfig } from '../../src/app/settings.server.ts'
import type { Endpoint, Input } from '../../src/kit/contract.ts'
import { listMigrations, migrate } from '../../src/kit/schema/migrate.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { checkBackup, checkRestoreTest } from '../../src/monitoring/health/work.checks.server.ts'
import { getOrder } from '../../src/purchases/orders.contract.ts'
import { openDiskStorage } from '../../src/uploads/disk/storage.disk.server.ts'
import { firstKey } from '../../src/uploads/images/images.server.ts'
import { packBackup } from './backup.ts'
import { withClient } from './connection.ts'
import { terminal } from './run.test.help.ts'
import { makeStore } from './store.test.help.ts'
import { wipeDatabase } from './store.ts'

type Store = Awaited<ReturnType<typeof makeStore>>

const buyerOf = async ({ server, identity }: Shop, email: string) => {
  const headers = { cookie: await identity.createSession(email) }
  const options: CallOptions = { base: server.url, headers, checkReply: true }
  return {
    headers,
    call: <E extends Endpoint>(endpoint: E, input: Input<E>) => send(endpoint, input, options),
  }
}

const newCodes = () => [1, 2, 3].map(() => `TEA-${crypto.randomUUID()}`)

/** Buys a file and two codes as the demo shopper. Returns the order and the delivered goods. */
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
  await addCodes(db, openCodeVault(readSecret(readConfig(store.env))), card.id, newCodes())
  // Needs a new product each time, because a buyer who already owns a file would buy gift copies.
  const { fileId } = await db
    .selectFrom('products')
    .select('fileId')
    .where('delivery', '=', 'file')
    .where('fileId', 'is not', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const file = await db
    .insertInto('products')
    .values({ sellerId, categoryId: 'ebooks', title: 'Tea book', priceCents: 400, delivery: 'file', fileId })
    .returning(['id', 'priceCents'])
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

/** Adds an image from a link whose server sent no content type. */
async function addUntypedImage({ database }: Shop, { dataDir }: Store) {
  const storage = openDiskStorage(join(dataDir, 'objects'))
  const { id: userId } = await database.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
  const id = crypto.randomUUID()
  const { sizeBytes, sha256 } = await storage.put(id, Readable.from([Buffer.from('an image')]))
  await storage.put(firstKey(id), Readable.from([Buffer.from('its first size')]))
  const when = { storedAt: new Date(), expiresAt: new Date() }
  await database.db
    .insertInto('objects')
    .values({ id, userId, status: 'bound', sizeBytes, sha256, color: '#2740b5', ...when })
    .execute()
}

test('restores every row and file, so that buyers can download their goods, and reports missing files', async () => {
  const store = await makeStore()
  expect((await store.run('seed')).code).toBe(0)
  const shop = await store.open()
  const { orderId, goods } = await buy(shop, store)
  expect(goods.codes).toHaveLength(2)
  await addUntypedImage(shop, store)
  const file = join(store.dataDir, 'a.tar.gz')
  const objects = () => readdirSync(join(store.dataDir, 'objects')).filter((name) => !['tmp', 'parts'].includes(name))
  const count = objects().length
  expect(count).toBeGreaterThan(20)
  const made = await store.run(`backup ${file}`)
  expect(made).toMatchObject({ code: 0, err: [] })
  expect(made.out[0]).toMatch(new RegExp(`: \\d+ rows, ${count} files \\(`))
  expect(statSync(file).mode & 0o077).toBe(0)
  await store.close()

  const [before, rules] = [await store.read(), await readRules(store)]
  expect(before.tables['public.codes']!.length).toBeGreaterThan(2)
  expect(before.tables['sandbox.records']!.length).toBeGreaterThan(2)
  // The shop records the backup after it is complete.
  expect(before.tables['public.backups']).toHaveLength(1)
  before.tables['public.backups'] = []
  expect((await store.run('reset --yes')).code).toBe(0)
  expect((await store.read()).tables['public.users']).toEqual([])
  rmSync(join(store.dataDir, 'secret'))
  const restored = await store.run(`restore ${file}`)
  expect(restored).toMatchObject({ code: 0, err: [] })
  expect(restored.out.at(-1)).toContain('every row and every file is equal')
  expect(await store.read()).toEqual(before)
  expect(await readRules(store)).toEqual(rules)

  const again = await store.open()
  expect(await fetchGoods(again, orderId)).toEqual(goods)
  // The restored sequences continue.
  expect((await buy(again, store)).goods.sha256).toBe(goods.sha256)
  await store.close()

  const [gone, changed] = objects()
  rmSync(join(store.dataDir, 'objects', gone!))
  writeFileSync(join(store.dataDir, 'objects', changed!), 'something else')
  const partial = join(store.dataDir, 'b.tar.gz')
  const rest = await store.run(`backup ${partial}`)
  expect(rest.code).toBe(1)
  expect(rest.out[0]).toContain(` ${count - 1} files`)
  for (const key of [gone, changed]) expect(rest.err.join()).toContain(key)
  const filled = await store.run(`restore ${partial} --yes`)
  expect(filled.code).toBe(0)
  expect(filled.err.join()).toContain(gone)
}, 180_000)

test('restores a backup made during purchases on another machine, but no codes with another secret', async () => {
  const secret = { SECRET: 'the secret of the first machine, 32+' }
  // The risk checks would ask a buyer without pauses to verify their identity.
  const store = await makeStore({ RISK_CHECKS: 'watch', ...secret })
  await store.run('seed')
  const shop = await store.open({ hasJobs: true })
  const { orderId, goods } = await buy(shop, store)
  const early = join(store.dataDir, '0.tar.gz')
  await store.run(`backup ${early}`)
  const codes = (await store.read()).tables['public.codes']!.length
  const files: string[] = []
  let isOver = false
  const buying = (async () => {
    while (!isOver) await buy(shop, store)
  })()
  for (const n of [1, 2]) {
    const file = join(store.dataDir, `${n}.tar.gz`)
    expect((await store.run(`backup ${file}`)).code).toBe(0)
    files.push(file)
  }
  isOver = true
  await buying
  const other = await makeStore(secret)
  // The restore checks foreign keys and the ledger.
  for (const file of files) expect(await other.run(`restore ${file} --yes`)).toMatchObject({ code: 0, err: [] })
  expect(await fetchGoods(await other.open(), orderId)).toEqual(goods)

  const third = await makeStore({ SECRET: 'the secret of another machine, 32+' })
  const refused = await third.run(`restore ${early}`)
  expect(refused).toMatchObject({ code: 1, err: [expect.stringContaining(`its ${codes} codes`)] })
  expect(await countUsers(third)).toBe(0)
  expect((await third.run(`restore ${early} --other-secret`)).code).toBe(0)
  expect(await countUsers(third)).toBe(3)
}, 180_000)

/** Reads every constraint and trigger. */
const readRules = ({ url }: Store) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(`
      SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
      UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled::text, true FROM pg_trigger WHERE NOT tgisinternal
      ORDER BY 1, 2, 3`)
    return rows
  })

/** Makes a store with one account, and a backup of it. */
async function makeBackup(more: Record<string, string> = {}) {
  const store = await makeStore(more)
  await store.run('user add ada@shop.example')
  const file = join(store.dataDir, 'a.tar.gz')
  expect((await store.run(`backup ${file}`)).code).toBe(0)
  return { ...store, file }
}

const countUsers = async (store: Store) => (await store.read()).tables['public.users']!.length

test('refuses to overwrite a store without --yes or while the shop is running', async () => {
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

const SPOILED: [string, (bytes: Buffer) => Buffer, string][] = [
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20), 'damaged'],
  ['cut in half', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'damaged'],
  ['that is empty', () => Buffer.alloc(0), 'damaged'],
  ['with a flipped bit', (bytes: Buffer) => bytes.fill(bytes[600]! ^ 1, 600, 601), 'damaged'],
  ['with a row changed', (bytes: Buffer) => repack(bytes, 'ada@shop', 'eve@shop'), 'rows of public.users'],
  ['without its end', (bytes: Buffer) => repack(bytes, 'primo-end.json', 'primo-not.json'), 'damaged'],
  ['of a newer version', (bytes: Buffer) => repack(bytes, '01_kit.sql', '91_kit.sql'), '91_kit.sql'],
  [
    'of an unreleased version',
    (bytes: Buffer) => repack(bytes, '04_localisation.sql', '16_own_identity.sql'),
    'before 1.0.0',
  ],
  ['that is no tar', () => gzipSync('nothing '.repeat(200)), 'damaged'],
]

test('rejects a backup that is damaged, changed or of another version, and changes nothing', async () => {
  const store = await makeBackup()
  const whole = readFileSync(store.file)
  for (const [what, spoil, complaint] of SPOILED) {
    writeFileSync(store.file, spoil(Buffer.from(whole)))
    const before = await store.read()
    expect(await store.run(`restore ${store.file} --yes`), what).toMatchObject({
      code: 1,
      out: [],
      err: [expect.stringContaining(complaint)],
    })
    expect(await store.read(), what).toEqual(before)
  }
})

/** Replaces a text by one of the same length. Corrects the checksum if the text is the name in a tar header. */
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

test('migrates a backup of an older version', async () => {
  const store = await makeStore()
  const old = listMigrations().slice(0, 11)
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

test('refuses a database from before version 1.0.0, and empties it with --yes', async () => {
  const store = await makeBackup()
  await withClient(store.url, (client) => client.query("INSERT INTO migrations (name) VALUES ('16_own_identity.sql')"))
  const advice = /before 1\.0\.0.*reset --yes/
  for (const command of ['migrate', 'user list', `backup ${store.dataDir}/b.tar.gz`])
    expect(await store.run(command)).toMatchObject({ code: 1, err: [expect.stringMatching(advice)] })
  expect((await store.run('doctor')).out).toContainEqual(expect.stringMatching(/^fail +migrations +.*before 1\.0\.0/))
  expect(await store.run(`restore ${store.file}`)).toMatchObject({
    code: 1,
    err: ['This store is not empty: it is from a version before 1.0.0. Add --yes to empty it.'],
  })
  expect(await store.run('reset --yes')).toMatchObject({ code: 0, out: ['The store is empty.'] })
  expect(await countUsers(store)).toBe(0)
  expect((await store.run(`restore ${store.file}`)).code).toBe(0)
  expect(await countUsers(store)).toBe(1)
})

test('excludes rows that are written during the backup', async () => {
  const store = await makeStore()
  await store.run('user add ada@shop.example')
  const end = await withClient(store.url, async (client) => {
    let isFirst = true
    const add = () =>
      new WritableStream({
        close: async () => {
          if (isFirst) await store.run('user add bob@shop.example')
          isFirst = false
        },
      })
    return packBackup(readConfig(store.env), client, { add, finalize: () => undefined, error: () => undefined })
  })
  expect(await countUsers(store)).toBe(2)
  expect(end.tables).toMatchObject({ 'public.accounts': { count: 1 }, 'public.users': { count: 1 } })
})

test('queues jobs for failed mails, but no jobs for due mails', async () => {
  const store = await makeBackup()
  await withClient(store.url, async (client) => {
    await client.query(`INSERT INTO mails (key, recipient, subject, body_text, body_html, sent_at, due_at)
      VALUES ('a', 'ada@shop.example', 'A', '', '', now(), now()), ('b', 'ada@shop.example', 'B', '', '', NULL, now()),
        ('failed before', 'ada@shop.example', 'C', '', '', NULL, NULL)`)
    await client.query(
      `INSERT INTO webhook_events (provider, event_id, event_type, body) VALUES ('paypal', 'WH-1', 'X', '{}')`,
    )
  })
  const file = join(store.dataDir, 'b.tar.gz')
  await store.run(`backup ${file}`)
  expect((await store.run(`restore ${file} --yes`)).code).toBe(0)
  const jobs = await withClient(store.url, async (client) => {
    const { rows } = await client.query<{ task: string; mail: string }>(
      `SELECT task_identifier AS task, m.key AS mail FROM graphile_worker.jobs j JOIN mails m ON j.key = 'mail:' || m.id`,
    )
    return rows.map(({ task, mail }) => `${task} ${mail}`)
  })
  // The poller finds the due mail without a job.
  expect(jobs).toEqual(['send_mail failed before'])
})

test('refuses an existing file name and leaves no partial file', async () => {
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

test("refuses to empty another program's database", async () => {
  const store = await makeBackup()
  await withClient(store.url, async (client) => {
    await wipeDatabase(client)
    await client.query('CREATE TABLE theirs AS SELECT 1 AS n')
    await client.query(`CREATE TABLE migrations AS SELECT '001_create_users.sql' AS name`)
  })
  for (const command of ['reset --yes', `restore ${store.file} --yes`]) {
    expect(await store.run(command)).toMatchObject({ code: 1, err: [expect.stringContaining('something else')] })
  }
  expect(await withClient(store.url, async (client) => (await client.query('SELECT n FROM theirs')).rowCount)).toBe(1)
})

const SECRET = 'the secret that seals backups, 32+'

test('retains the newest encrypted backups in a bucket, restores one and records a restore test', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-backups-'))
  const s3 = await startS3({ folder, bucket: 'safe' })
  onTestFinished(async () => {
    await s3.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const settings = {
    ...{ SECRET, BACKUP_S3_ENDPOINT: s3.endpoint, BACKUP_S3_BUCKET: 'safe', BACKUP_S3_KEY: s3.key },
    ...{ BACKUP_S3_SECRET: s3.secret, BACKUP_KEEP: '2' },
  }
  const store = await makeStore(settings)
  await store.run('user add ada@shop.example')
  const sequences = () =>
    withClient(store.url, (client) =>
      client.query('SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL ORDER BY 1'),
    ).then(({ rows }) => rows)
  await withClient(store.url, (client) => client.query(`INSERT INTO audit (act) VALUES ('test.sequence')`))
  const before = await sequences()
  // Needs no more rights than the role of the shop has.
  const shopRole = terminal({ ...store.env, MIGRATE_DATABASE_URL: '' })
  for (let i = 0; i < 3; i++) expect(await shopRole('backup --to s3')).toMatchObject({ code: 0, err: [] })
  const names = (await store.run('backup list')).out.map((line) => line.split(' ')[0]!)
  expect([...s3.store.objects.keys()].sort()).toEqual(
    names.flatMap((name) => [`backups/${name}`, `backups/${name}.json`]).sort(),
  )
  expect(names).toHaveLength(2)
  const kept = s3.store.objects.get(`backups/${names[0]}`)!
  const sealed = readFileSync(kept.path)
  expect(() => gunzipSync(sealed)).toThrow()
  const { rows: recorded } = await withClient(store.url, (client) =>
    client.query('SELECT store, name, sha256 FROM backups ORDER BY made_at DESC LIMIT 1'),
  )
  expect(recorded).toEqual([{ store: 's3', name: names[0], sha256: createHash('sha256').update(sealed).digest('hex') }])

  const emptied = await makeStore()
  expect((await store.run(`backup check --from s3 --into ${emptied.url}`)).err.join()).toContain('Give an empty one')
  await withClient(emptied.url, wipeDatabase)
  expect((await shopRole('backup check --from s3')).err.join()).toContain('CREATEDB')
  expect(await withClient(store.url, checkRestoreTest)).toMatchObject({ says: expect.stringContaining('no backup') })
  const tested = await store.run(`backup check --from s3 --into ${emptied.url}`)
  expect(tested).toMatchObject({ code: 0, err: [] })
  expect(tested.out[0]).toMatch(/: \d+ rows and 0 files of .* restored; all \d+ ledger rules hold/)
  expect(await withClient(store.url, checkRestoreTest)).toMatchObject({ grade: 'ok' })
  expect(await withClient(store.url, checkBackup)).toMatchObject({
    grade: 'ok',
    says: 'made today, by the shop, into a bucket',
  })

  await store.run('user add bob@shop.example')
  expect(await store.run(`restore --from s3 --name ${names[1]} --yes`)).toMatchObject({ code: 0, err: [] })
  expect(await countUsers(store)).toBe(1)
  expect(before.length).toBeGreaterThan(0)
  expect(await sequences()).toEqual(before)
  const other = await makeStore({ ...settings, SECRET: 'the secret of another machine, 32+' })
  expect((await other.run('restore --from s3')).err.join()).toContain('SECRET: it does not open this backup')
  const noSecret = await makeStore({ ...settings, SECRET: '' })
  expect((await noSecret.run('backup --to s3')).err.join()).toContain('SECRET: not set')

  const database = new URL(store.url).pathname.slice(1)
  const maker = terminal({ ...store.env, MIGRATE_DATABASE_URL: onDatabase(inject('databases').makerUrl, database) })
  const changed = Buffer.from(sealed)
  changed[sealed.length - 30]! ^= 1
  writeFileSync(kept.path, changed)
  expect((await maker('backup check --from s3')).err.join()).toContain('damaged')
  expect(await withClient(store.url, checkRestoreTest)).toMatchObject({ grade: 'warn' })
  s3.faults.push({ method: 'PUT', path: /backups/, status: 507, times: 9 })
  expect(await store.run('backup --to s3')).toMatchObject({ code: 1, out: [] })
  expect((await store.run('backup list')).out).toHaveLength(2)
}, 60_000)
