import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { mailedText } from '../../../test/mail.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { openShopForTests, type Person, SECRET } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { readMyData } from '../../account/data/export.rows.server.ts'
import { askRefund } from '../../aftersale/refunds/refund.contract.ts'
import { refundOrder } from '../../aftersale/refunds/refund.server.ts'
import { getProduct } from '../../catalogue/catalogue.contract.ts'
import type { Failure } from '../../kit/failure.ts'
import type { CallRoute } from '../../kit/handle.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { insertRefund } from '../../payments/refunds.store.server.ts'
import { grantDownload } from '../files/files.contract.ts'
import { makeKey, RANDOM_LENGTH, readKey } from './key.rules.ts'
import { activateLicense, deactivateLicense, listLicenseKeys, validateLicense } from './licenseApi.contract.ts'
import { issueLicenses } from './licenses.store.server.ts'
import { licenseApiRoutes } from './licenseApi.server.ts'
import type { LicenseFile } from './licenseFile.rules.ts'
import { addDevice, getLicense, makeLicenseFile, removeDevice, revealLicense } from './ownedLicense.contract.ts'
import {
  addLicenseToken,
  extendLicense,
  findLicenses,
  getLicenseSettings,
  type LicenseTerms,
  restoreLicense,
  revokeLicense,
  revokeLicenseToken,
  saveLicenseTerms,
} from './soldLicenses.contract.ts'
import { openLicenseVault } from './vault.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '10' })
const db = () => open.shop.database.db

type Product = Awaited<ReturnType<typeof addProduct>>
type Sold = { seller: Person; product: Product; token: string }

/** Creates software with an installer, sold with keys of GRID for two devices each. */
async function sell(terms: Partial<LicenseTerms> = {}): Promise<Sold> {
  const [seller, product] = [await open.shop.join({ firstName: 'Sally' }), await addProduct(open.shop)]
  await db()
    .updateTable('products')
    .set({ sellerId: seller.id, delivery: 'license' })
    .where('id', '=', product.id)
    .execute()
  await seller.call(saveLicenseTerms, { id: product.id, prefix: 'GRID', devicesPerSeat: 2, validDays: null, ...terms })
  const { token } = await seller.call(addLicenseToken, { id: product.id })
  return { seller, product, token }
}

async function purchase({ product }: Sold, quantity = 1) {
  const buyer = await open.shop.join()
  const order = await buyMany(open.shop, buyer, [{ product, quantity }])
  const line = { id: order.id, lineId: order.lines[0]!.id }
  return { buyer, order, line, key: (await buyer.call(revealLicense, line)).key }
}

const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const validate = (token: string, key: string, fingerprint?: string) =>
  open.shop.call(validateLicense, { key, ...(fingerprint && { fingerprint }) }, withToken(token))
const activate = (token: string, key: string, fingerprint: string, name?: string) =>
  open.shop.call(activateLicense, { key, fingerprint, ...(name && { name }) }, withToken(token))
const deactivate = (token: string, key: string, fingerprint: string) =>
  open.shop.call(deactivateLicense, { key, fingerprint }, withToken(token))
/** Returns status, distinguishing headers and body of a refusal. */
async function refusalOf(path: string, token: string, body: object) {
  const answer = await fetch(`${open.shop.url}/api/licenses/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const headers = [...answer.headers.keys()].filter((name) => name !== 'x-request-id').toSorted()
  return { status: answer.status, headers, body: await answer.text() }
}
const KEY_REFUSED = { status: 403, code: 'key_refused' }
const device = (n: number) => `device-number-${n}`

test('delivers one key for each line, masked until its buyer reveals it', async () => {
  const sold = await sell()
  const { buyer, order, line, key } = await purchase(sold, 3)
  expect(key).toMatch(/^GRID(-[0-9A-HJKMNP-TV-Z]{8}){4}$/)
  expect(readKey(key)).toBe(key)
  expect(order.lines[0]!.delivery).toMatchObject({ kind: 'license', devices: 6, file: { fileName: 'book.txt' } })
  const license = await buyer.call(getLicense, line)
  expect(license).toMatchObject({ state: 'active', seats: 3, limit: 6, devices: [], expiresAt: null })
  expect(license.masked).toBe(`GRID-••••••••-••••••••-••••••••-••••${key.slice(-4)}`)
  for (const shown of [order, license, await buyer.call(getOrder, { id: order.id })])
    expect(JSON.stringify(shown)).not.toContain(key.slice(5, 13))
  const other = await open.shop.join()
  for (const call of [getLicense, revealLicense] as const)
    await expect(other.call(call, line)).rejects.toMatchObject({ status: 404 })
  const events = await db().selectFrom('deliveryEvents').select('kind').where('userId', '=', buyer.id).execute()
  expect(events).toEqual([{ kind: 'reveal' }])
  // the installer is a separate download, also with Buy Now
  const direct = await buy(open.shop, buyer, sold.product)
  for (const one of [line, { id: direct.id, lineId: direct.lines[0]!.id }]) {
    const { url } = await buyer.call(grantDownload, one)
    expect((await fetch(open.shop.url + url, { headers: { cookie: buyer.cookie } })).status).toBe(200)
  }
})

test('requires a fresh proof before it shows a cash-like key', async () => {
  const sold = await sell()
  const { buyer, line } = await purchase(sold)
  await db().updateTable('products').set({ categoryId: 'gift-cards' }).where('id', '=', sold.product.id).execute()
  await buyer.call(revealLicense, line)
  await db()
    .updateTable('sessions')
    .set({ verifiedAt: new Date(0) })
    .where('userId', '=', buyer.id)
    .execute()
  await expect(buyer.call(revealLicense, line)).rejects.toMatchObject({ status: 403, code: 'step_up_required' })
})

test('stores no key, token or fingerprint in plain text', async () => {
  const sold = await sell()
  const { key } = await purchase(sold)
  await activate(sold.token, key, 'a-very-telling-fingerprint', 'Desk')
  for (const table of ['licenses', 'license_tokens', 'license_devices', 'delivery_events', 'shared_limits', 'mails']) {
    const { rows } = await open.shop.database.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`)
    for (const { text } of rows)
      for (const secret of [key, key.slice(5, 13), key.replaceAll('-', ''), sold.token, 'telling-fingerprint'])
        expect(text, table).not.toContain(secret)
  }
})

test('creates one key when a payment settles twice', async () => {
  const sold = await sell()
  const { order, line } = await purchase(sold)
  const again = { id: line.lineId, productId: sold.product.id, quantity: 1 }
  await db()
    .transaction()
    .execute((tx) => issueLicenses(tx, openLicenseVault(SECRET), [again]))
  const rows = await db().selectFrom('licenses').select('seats').where('orderLineId', '=', order.lines[0]!.id).execute()
  expect(rows).toEqual([{ seats: 1 }])
})

test('activates, validates, re-activates and frees devices', async () => {
  const sold = await sell()
  const { buyer, line, key } = await purchase(sold)
  const { token } = sold
  expect(await validate(token, key)).toMatchObject({ devices: { used: 0, limit: 2 }, device: null })
  expect(await activate(token, key.toLowerCase().replaceAll('-', ' '), device(1), 'Desk')).toMatchObject({
    ...{
      productId: sold.product.id,
      seats: 1,
      expiresAt: null,
      devices: { used: 1, limit: 2 },
      device: { name: 'Desk' },
    },
  })
  // the same device needs no second place, and can be renamed
  expect(await activate(token, key, device(1))).toMatchObject({ devices: { used: 1 }, device: { name: 'Desk' } })
  expect(await activate(token, key, device(1), 'Attic')).toMatchObject({
    devices: { used: 1 },
    device: { name: 'Attic' },
  })
  expect(await activate(token, key, device(2))).toMatchObject({ devices: { used: 2 } })
  await expect(activate(token, key, device(3))).rejects.toMatchObject({
    ...{ status: 409, code: 'limit_reached', details: { devices: { used: 2, limit: 2 } } },
  })
  expect(await validate(token, key, device(3))).toMatchObject({ device: null })
  expect(await validate(token, key, device(1))).toMatchObject({ device: { name: 'Attic' } })
  expect(await deactivate(token, key, device(1))).toMatchObject({ devices: { used: 1 }, device: null })
  expect(await deactivate(token, key, device(1))).toMatchObject({ devices: { used: 1 } })
  await activate(token, key, device(3), 'Laptop')
  const { devices } = await buyer.call(getLicense, line)
  expect(devices.map(({ name }) => name)).toEqual(['', 'Laptop'])
  await buyer.call(removeDevice, { ...line, deviceId: devices[0]!.id })
  expect(await validate(token, key, device(2))).toMatchObject({ devices: { used: 1 }, device: null })
  const other = await open.shop.join()
  await expect(other.call(removeDevice, { ...line, deviceId: devices[1]!.id })).rejects.toMatchObject({ status: 404 })
  const stranger = await purchase(sold)
  await expect(stranger.buyer.call(removeDevice, { ...stranger.line, deviceId: devices[1]!.id })).rejects.toMatchObject(
    {
      status: 404,
    },
  )
})

test('gives the last two places to exactly two of twenty concurrent calls', async () => {
  const sold = await sell({ devicesPerSeat: 5 })
  const { key } = await purchase(sold)
  for (const n of [1, 2, 3]) await activate(sold.token, key, device(n))
  const calls = Array.from({ length: 20 }, (_, n) => activate(sold.token, key, `parallel-${n}`))
  const outcomes = await Promise.allSettled(calls)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'limit_reached' })
  expect(await validate(sold.token, key)).toMatchObject({ devices: { used: 5, limit: 5 } })
})

test('returns the same refusal for every key that a product cannot use', async () => {
  const [sold, foreign] = [await sell(), await sell()]
  const keys: Record<string, string> = {
    'another product': (await purchase(foreign)).key,
    'no key': 'hello',
    'a wrong check character': (await purchase(sold)).key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    'an unknown key': makeKey('GRID', new Uint8Array(RANDOM_LENGTH)),
    blanks: '   ',
    'a long text': 'G'.repeat(100),
    'a NUL in Unicode': 'GRID-\u2400',
  }
  const [revoked, refunded, disputed, asked] = await Promise.all([1, 2, 3, 4].map(() => purchase(sold)))
  for (const one of [revoked!, refunded!, disputed!, asked!]) await activate(sold.token, one.key, device(1))
  const [row] = (await sold.seller.call(findLicenses, { id: sold.product.id, q: revoked!.key })).licenses
  await sold.seller.call(revokeLicense, { id: sold.product.id, licenseId: row!.id, reason: 'shared in public' })
  await refundOrder(open.shop.checkout, refunded!.order.id, 'asked for', undefined, { isCodeSeen: true })
  await runRefunds(open.shop)
  await dispute(open.shop, disputed!.order.id)
  await refundOrder(open.shop.checkout, asked!.order.id, 'asked for', undefined, { isCodeSeen: true })
  Object.assign(keys, { revoked: revoked!.key, refunded: refunded!.key, disputed: disputed!.key })
  keys['a refund on its way'] = asked!.key
  const good = await purchase(sold)
  const expired = await purchase(sold)
  await db()
    .updateTable('licenses')
    .set({ expiresAt: new Date(0) })
    .where('orderLineId', '=', expired.line.lineId)
    .execute()
  for (const [path, body] of [
    ['validate', {}],
    ['validate', { fingerprint: device(1) }],
    ['activate', { fingerprint: device(1) }],
    ['activate', { fingerprint: device(9), name: 'New' }],
    ['deactivate', { fingerprint: device(1) }],
  ] as const) {
    const first = await refusalOf(path, sold.token, { key: 'GRID', ...body })
    expect(first).toMatchObject({ status: 403, body: expect.stringContaining('key_refused') as string })
    for (const [name, key] of Object.entries(keys))
      expect(await refusalOf(path, sold.token, { key, ...body }), `${path} ${name}`).toEqual(first)
    // another seller's token learns nothing about valid and expired keys either
    for (const { key } of [good, expired]) expect(await refusalOf(path, foreign.token, { key, ...body })).toEqual(first)
    await expect(refusalOf(path, sold.token, { key: expired.key, ...body })).resolves.toMatchObject({
      status: 403,
      body: expect.stringContaining('"expired"') as string,
    })
  }
  const used = await db().selectFrom('licenseDevices').select('id').where('name', '=', 'New').execute()
  expect(used).toEqual([])
})

let sharedSale: ReturnType<typeof sell> | undefined

test.each([
  [{}, 400],
  [{ key: '' }, 400],
  [{ key: 'x'.repeat(101) }, 400],
  [{ key: 7 }, 400],
  [{ key: ['GRID'] }, 400],
  [{ key: null }, 400],
  [{ key: 'GRID', fingerprint: 'short' }, 400],
  [{ key: 'GRID', fingerprint: 'x'.repeat(201) }, 400],
  [{ key: 'GRID', fingerprint: 'with a blank' }, 400],
  [{ key: 'GRID', fingerprint: 'zero\u0000byte-in-it' }, 400],
  [{ key: 'GRID', fingerprint: device(1), name: 'x'.repeat(101) }, 400],
  [{ key: 'GRID', fingerprint: device(1), name: 'two\nlines' }, 400],
  [{ key: 'GRID', fingerprint: device(1), productId: 'x' }, 400],
  [{ key: 'GRID', fingerprint: device(1), limit: 99 }, 400],
  [[], 400],
])('responds to %j with %i', async (body, status) => {
  const { token } = await (sharedSale ??= sell())
  expect((await refusalOf('activate', token, body)).status).toBe(status)
})

test('accepts only unrevoked tokens of the product', async () => {
  const sold = await sell()
  const { buyer, key } = await purchase(sold)
  const body = JSON.stringify({ key })
  const ask = async (headers: Record<string, string>) =>
    (
      await fetch(`${open.shop.url}/api/licenses/validate`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
      })
    ).status
  expect(await ask({ authorization: `Bearer ${sold.token}` })).toBe(200)
  for (const authorization of [
    '',
    'Bearer',
    `Basic ${sold.token}`,
    sold.token,
    `Bearer ${sold.token}x`,
    'Bearer license_x',
  ])
    expect(await ask({ authorization }), authorization).toBe(401)
  // a session is no substitute for a token
  for (const person of [buyer, sold.seller, await open.shop.join({ isAdmin: true })])
    expect(await ask({ cookie: person.cookie })).toBe(401)
  const { tokens } = await sold.seller.call(getLicenseSettings, { id: sold.product.id })
  expect(tokens).toMatchObject([{ ending: sold.token.slice(-4), usedOn: expect.any(String) as string }])
  expect(JSON.stringify(tokens)).not.toContain(sold.token)
  const { token: second } = await sold.seller.call(addLicenseToken, { id: sold.product.id })
  await sold.seller.call(revokeLicenseToken, { id: sold.product.id, tokenId: tokens[0]!.id })
  expect(await ask({ authorization: `Bearer ${sold.token}` })).toBe(401)
  expect(await ask({ authorization: `Bearer ${second}` })).toBe(200)
  for (let n = 1; n < 5; n++) await sold.seller.call(addLicenseToken, { id: sold.product.id })
  await expect(sold.seller.call(addLicenseToken, { id: sold.product.id })).rejects.toMatchObject({ status: 409 })
})

test('limits the calls per token and per key, and stores no key in the rate limiter', async () => {
  const sold = await sell()
  const { key } = await purchase(sold)
  for (const [over, wait] of [
    ['license token', 3],
    ['license key', 7],
  ] as const) {
    const names: string[] = []
    const take = async (name: string) => {
      names.push(name)
      return name.startsWith(over) ? wait : 0
    }
    const [route] = licenseApiRoutes({ vault: openLicenseVault(SECRET), limiter: { take } }) as [CallRoute]
    const caller = { db: db(), header: () => `Bearer ${sold.token}` }
    const refusal = await route.run({ key } as never, caller as never).catch((error: Failure) => error)
    expect(refusal).toMatchObject({ status: 429, retryAfter: wait })
    expect(names.join()).not.toContain(key.slice(5, 13))
  }
})

test('reduces the seats when copies are refunded, and ends the key with the last copy', async () => {
  const sold = await sell()
  const { buyer, order, line, key } = await purchase(sold, 3)
  for (const n of [1, 2, 3, 4, 5]) await activate(sold.token, key, device(n), `Device ${n}`)
  await sql`UPDATE license_devices SET seen_at = now() - interval '9 days' WHERE name IN ('Device 2', 'Device 4')`.execute(
    db(),
  )
  const staff = await open.shop.join({ role: 'finance' })
  const refund = async (copies: number, amount: string, left: string) => {
    await staff.call(
      askRefund,
      { id: order.id, reason: 'too many', isCodeSeen: true, amount, left, lines: [{ id: line.lineId, copies }] },
      { headers: { 'idempotency-key': crypto.randomUUID() } },
    )
    await runRefunds(open.shop)
  }
  await refund(1, '10.00', '30.00')
  const license = await buyer.call(getLicense, line)
  expect(license).toMatchObject({ state: 'active', seats: 2, limit: 4 })
  // one of the two least recently used devices is removed
  expect(license.devices).toHaveLength(4)
  expect(license.devices.filter(({ name }) => ['Device 2', 'Device 4'].includes(name))).toHaveLength(1)
  await expect(activate(sold.token, key, device(9))).rejects.toMatchObject({ code: 'limit_reached' })
  await refund(2, '20.00', '20.00')
  await expect(validate(sold.token, key)).rejects.toMatchObject(KEY_REFUSED)
  expect(await buyer.call(getLicense, line)).toMatchObject({ state: 'ended', seats: 0, devices: [] })
  await expect(buyer.call(revealLicense, line)).rejects.toMatchObject({ status: 404 })
})

test('freezes a key during a dispute, and unfreezes it when the dispute is won', async () => {
  const sold = await sell()
  const { buyer, order, line, key } = await purchase(sold)
  await activate(sold.token, key, device(1))
  const { end } = await dispute(open.shop, order.id)
  await expect(validate(sold.token, key)).rejects.toMatchObject(KEY_REFUSED)
  expect(await buyer.call(getLicense, line)).toMatchObject({ state: 'frozen' })
  await expect(buyer.call(revealLicense, line)).rejects.toMatchObject({ status: 409, code: 'disputed' })
  await expect(buyer.call(addDevice, { ...line, fingerprint: device(2), name: '' })).rejects.toMatchObject({
    status: 409,
  })
  await end('win')
  expect(await validate(sold.token, key, device(1))).toMatchObject({ devices: { used: 1 }, device: { name: '' } })
})

test('accepts keys after the product was withdrawn or deleted', async () => {
  const sold = await sell()
  const { key } = await purchase(sold)
  await db()
    .updateTable('products')
    .set({ isActive: false, deletedAt: new Date() })
    .where('id', '=', sold.product.id)
    .execute()
  expect(await activate(sold.token, key, device(1))).toMatchObject({ devices: { used: 1 } })
})

test('sells keys with the terms at the time of the purchase', async () => {
  const sold = await sell({ validDays: 30 })
  const first = await purchase(sold)
  await sold.seller.call(saveLicenseTerms, { id: sold.product.id, prefix: 'NOTE', devicesPerSeat: 1, validDays: null })
  const second = await purchase(sold)
  expect(second.key).toMatch(/^NOTE-/)
  expect(await validate(sold.token, second.key)).toMatchObject({ devices: { limit: 1 }, expiresAt: null })
  const { devices, expiresAt } = await validate(sold.token, first.key)
  expect(devices.limit).toBe(2)
  expect(new Date(expiresAt!).getTime() - Date.now()).toBeGreaterThan(29 * 86_400_000)
  expect(new Date(expiresAt!).getTime() - Date.now()).toBeLessThanOrEqual(30 * 86_400_000)
})

test('applies the terms at the time of the order', async () => {
  const sold = await sell({ validDays: 30 })
  const { line } = await purchase(sold)
  await sold.seller.call(saveLicenseTerms, { id: sold.product.id, prefix: 'NOTE', devicesPerSeat: 1, validDays: 1 })
  // settled late, for example after a review
  await db().deleteFrom('licenses').where('orderLineId', '=', line.lineId).execute()
  const late = { id: line.lineId, productId: sold.product.id, quantity: 1 }
  await db()
    .transaction()
    .execute((tx) => issueLicenses(tx, openLicenseVault(SECRET), [late]))
  const { devicesPerSeat, prefix } = await db()
    .selectFrom('licenses')
    .selectAll()
    .where('orderLineId', '=', line.lineId)
    .executeTakeFirstOrThrow()
  expect([devicesPerSeat, prefix]).toEqual([2, 'GRID'])
})

test('reserves the place of a removed device while its licence file is valid', async () => {
  const sold = await sell({ devicesPerSeat: 1 })
  const { buyer, line, key } = await purchase(sold)
  const { devices } = await buyer.call(addDevice, { ...line, fingerprint: device(1), name: 'Offline' })
  await buyer.call(makeLicenseFile, { ...line, deviceId: devices[0]!.id })
  const removed = await buyer.call(removeDevice, { ...line, deviceId: devices[0]!.id })
  expect(removed.devices).toMatchObject([{ name: 'Offline', isRemoved: true }])
  await expect(buyer.call(addDevice, { ...line, fingerprint: device(2), name: '' })).rejects.toMatchObject({
    code: 'limit_reached',
  })
  await expect(activate(sold.token, key, device(2))).rejects.toMatchObject({ code: 'limit_reached' })
  expect(await validate(sold.token, key, device(1))).toMatchObject({ devices: { used: 1 }, device: null })
  await expect(buyer.call(makeLicenseFile, { ...line, deviceId: devices[0]!.id })).rejects.toMatchObject({
    status: 404,
  })
  // the same device gets its place back
  expect(await activate(sold.token, key, device(1))).toMatchObject({ devices: { used: 1 } })
  expect(await deactivate(sold.token, key, device(1))).toMatchObject({ devices: { used: 1 }, device: null })
  await db().updateTable('licenseDevices').set({ fileUntil: new Date() }).where('name', '=', 'Offline').execute()
  expect(await activate(sold.token, key, device(2))).toMatchObject({ devices: { used: 1 } })
})

test('activates no device while a refund of the order is in progress', async () => {
  const sold = await sell()
  const { buyer, order, line, key } = await purchase(sold)
  const ways = [
    () => activate(sold.token, key, device(1)),
    () => buyer.call(addDevice, { ...line, fingerprint: device(1), name: '' }),
  ]
  const { results } = await inTransaction(db(), async (tx) => {
    await lockOrder(tx, order.id)
    const payment = await tx
      .selectFrom('payments')
      .select('id')
      .where('orderId', '=', order.id)
      .executeTakeFirstOrThrow()
    const calls = Promise.allSettled(ways.map((way) => way()))
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
    await expect.poll(async () => (await waiting.execute(tx)).rows.length).toBe(2)
    await insertRefund(tx, { paymentId: payment.id, amountCents: 1000, reason: 'not seen' })
    return { results: calls }
  })
  expect(await results).toMatchObject([
    { status: 'rejected', reason: KEY_REFUSED },
    { status: 'rejected', reason: { status: 409, code: 'frozen' } },
  ])
})

test('sells keys with default terms if the seller chose none', async () => {
  const [buyer, product] = [await open.shop.join(), await addProduct(open.shop, { title: 'Grid Notes' })]
  await db().updateTable('products').set({ delivery: 'license' }).where('id', '=', product.id).execute()
  const order = await buyMany(open.shop, buyer, [{ product }])
  expect(await buyer.call(getLicense, { id: order.id, lineId: order.lines[0]!.id })).toMatchObject({
    ...{ masked: expect.stringMatching(/^GRID-/) as string, limit: 3, expiresAt: null },
  })
})

test('the page of a product shows how many devices a key allows', async () => {
  const shown = async (id: string) => (await open.shop.call(getProduct, { id })).devices
  const { seller, product } = await sell({ devicesPerSeat: 5 })
  await expect.poll(() => shown(product.id)).toBe(5)
  await seller.call(saveLicenseTerms, { id: product.id, prefix: 'GRID', devicesPerSeat: 1, validDays: null })
  await expect.poll(() => shown(product.id)).toBe(1)
  const [byDefault, file] = [await addProduct(open.shop), await addProduct(open.shop)]
  await db().updateTable('products').set({ delivery: 'license' }).where('id', '=', byDefault.id).execute()
  await expect.poll(() => shown(byDefault.id)).toBe(3)
  expect(await shown(file.id)).toBeNull()
})

test('lets the seller find, revoke and restore keys, and mails the buyer the reason', async () => {
  const sold = await sell()
  const [one, two] = [await purchase(sold), await purchase(sold, 2)]
  const { id } = sold.product
  const find = async (q?: string) =>
    (await sold.seller.call(findLicenses, { id, ...(q && { q }) })).licenses.map(({ orderId }) => orderId)
  expect(await find()).toEqual([two.order.id, one.order.id])
  for (const q of [one.key, one.key.toLowerCase(), one.order.id, one.order.id.slice(-8), `#${one.order.id.slice(-8)}`])
    expect(await find(q), q).toEqual([one.order.id])
  for (const q of ['hello', 'GRID', 'ffffffff', (await purchase(await sell())).key])
    expect(await find(q), q).toEqual([])
  const { licenses } = await sold.seller.call(findLicenses, { id, q: one.key })
  expect(licenses).toMatchObject([{ state: 'active', seats: 1, devices: { used: 0, limit: 2 }, reason: null }])
  expect(JSON.stringify(licenses)).not.toContain(one.key.slice(5, 13))
  const asked = { id, licenseId: licenses[0]!.id, reason: 'Posted in a forum' }
  const stranger = await open.shop.join()
  for (const call of [revokeLicense, restoreLicense] as const)
    await expect(stranger.call(call, asked)).rejects.toMatchObject({ status: 404 })
  for (const call of [getLicenseSettings, findLicenses, addLicenseToken] as const)
    await expect(stranger.call(call, { id })).rejects.toMatchObject({ status: 404 })
  const elsewhere = await sell()
  await expect(elsewhere.seller.call(revokeLicense, { ...asked, id: elsewhere.product.id })).rejects.toMatchObject({
    status: 404,
  })
  expect(await sold.seller.call(revokeLicense, asked)).toMatchObject({ state: 'revoked', reason: 'Posted in a forum' })
  await expect(activate(sold.token, one.key, device(1))).rejects.toMatchObject(KEY_REFUSED)
  expect(await one.buyer.call(getLicense, one.line)).toMatchObject({ state: 'revoked', reason: 'Posted in a forum' })
  const mail = await mailedText(open.shop, one.buyer.email)
  expect(mail).toContain('Posted in a forum')
  expect(mail).not.toContain(one.key.slice(5, 13))
  // the other key stays valid
  await activate(sold.token, two.key, device(1))
  expect(await sold.seller.call(restoreLicense, { ...asked, reason: 'Our mistake' })).toMatchObject({
    ...{ state: 'active', reason: null },
  })
  expect(await activate(sold.token, one.key, device(1))).toMatchObject({ devices: { used: 1 } })
  expect(await mailedText(open.shop, one.buyer.email)).toContain('Our mistake')
})

/** Loads the sample code of docs/licenses.md as a module. */
async function documentedCheck() {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/licenses.md', 'utf8'))!
  expect(code!.trim().split('\n').length).toBeLessThanOrEqual(12)
  return (await import(`data:text/javascript,${encodeURIComponent(code!)}`)) as {
    readLicense: (file: string, key: object, own: object) => { expiresAt: string; key: string; seats: number } | null
  }
}

test('signs licence files that the documented check accepts for their device only', async () => {
  const { readLicense } = await documentedCheck()
  const sold = await sell({ validDays: 30 })
  const { buyer, line, key } = await purchase(sold)
  const { devices } = await buyer.call(addDevice, { ...line, fingerprint: device(1), name: 'Offline' })
  const { fileName, text } = await buyer.call(makeLicenseFile, { ...line, deviceId: devices[0]!.id })
  expect(fileName).toBe('a-small-book.license.json')
  const file = JSON.parse(text) as LicenseFile
  const { keys } = await open.shop.call(listLicenseKeys, {})
  const publicKey = keys.find(({ kid }) => kid === file.kid)!
  const own = { productId: sold.product.id, fingerprint: device(1) }
  const license = readLicense(text, publicKey, own)!
  expect(license).toMatchObject({ seats: 1, key: createHash('sha256').update(key).digest('hex') })
  expect(text).not.toContain(key)
  // the key expires before the 90 days of a file
  expect(new Date(license.expiresAt).getTime() - Date.now()).toBeLessThan(31 * 86_400_000)
  expect((await buyer.call(getLicense, line)).devices[0]!.fileUntil).toBe(license.expiresAt)
  expect(readLicense(text, publicKey, { ...own, fingerprint: device(2) })).toBeNull()
  expect(readLicense(text, publicKey, { ...own, productId: 'another' })).toBeNull()
  const forged = JSON.stringify({ ...file, payload: file.payload.replace('"seats":1', '"seats":9') })
  expect(readLicense(forged, publicKey, own)).toBeNull()
  expect(readLicense(text, openLicenseVault('another secret').publicKey, own)).toBeNull()
  const late = JSON.parse(file.payload) as { expiresAt: string }
  const old = JSON.stringify({ ...late, expiresAt: new Date(0).toISOString() })
  const vault = openLicenseVault(SECRET)
  expect(vault.publicKey).toEqual(publicKey)
  expect(readLicense(JSON.stringify({ payload: old, signature: vault.sign(old) }), publicKey, own)).toBeNull()
})

test('gives licence files to the buyer of an active key only', async () => {
  const sold = await sell()
  const { buyer, line } = await purchase(sold)
  const { devices } = await buyer.call(addDevice, { ...line, fingerprint: device(1), name: '' })
  const asked = { ...line, deviceId: devices[0]!.id }
  await expect((await open.shop.join()).call(makeLicenseFile, asked)).rejects.toMatchObject({ status: 404 })
  await expect(buyer.call(makeLicenseFile, { ...asked, deviceId: crypto.randomUUID() })).rejects.toMatchObject({
    status: 404,
  })
  const change = (row: object) => db().updateTable('licenses').set(row).where('orderLineId', '=', line.lineId).execute()
  await change({ expiresAt: new Date(0) })
  await expect(buyer.call(makeLicenseFile, asked)).rejects.toMatchObject({ status: 409, code: 'expired' })
  await change({ expiresAt: null, revokedAt: new Date(), revokeReason: 'x' })
  await expect(buyer.call(makeLicenseFile, asked)).rejects.toMatchObject({ status: 409, code: 'revoked' })
  // a device can be freed in any state
  expect((await buyer.call(removeDevice, asked)).devices).toEqual([])
})

test('exports licences without keys, and deletes their devices with the account', async () => {
  const sold = await sell()
  const { buyer, key, order } = await purchase(sold)
  await activate(sold.token, key, device(1), 'Ada’s laptop')
  const files = await readMyData(open.shop.database.pool, buyer.id)
  expect(files['licenses.json']).toMatchObject([{ order_id: order.id, seats: 1, devices: [{ name: 'Ada’s laptop' }] }])
  expect(JSON.stringify(files)).not.toContain(key.slice(5, 13))
  await db()
    .updateTable('users')
    .set({ eraseAt: new Date(0) })
    .where('id', '=', buyer.id)
    .execute()
  await eraseDueAccounts(db())
  // the key stays valid
  expect(await validate(sold.token, key, device(1))).toMatchObject({ devices: { used: 0 }, device: null })
})

test('a seller extends a key of their product, and no other key', async () => {
  const sold = await sell({ validDays: 10 })
  const { key, buyer, order } = await purchase(sold)
  const id = sold.product.id
  const [found] = (await sold.seller.call(findLicenses, { id, q: key })).licenses
  const asked = { id, licenseId: found!.id, until: '2099-12-31', devicesPerSeat: 3 }
  const [stranger, elsewhere] = [await open.shop.join(), await sell()]
  await expect(stranger.call(extendLicense, asked)).rejects.toMatchObject({ status: 404 })
  await expect(elsewhere.seller.call(extendLicense, { ...asked, id: elsewhere.product.id })).rejects.toMatchObject({
    status: 404,
  })
  const longer = { expiresAt: '2099-12-31T23:59:59.000Z', devices: { used: 0, limit: 3 } }
  // twice at once is one change and one mail
  const both = await Promise.all([sold.seller.call(extendLicense, asked), sold.seller.call(extendLicense, asked)])
  expect(both).toMatchObject([longer, longer])
  const { rows } =
    await sql`SELECT FROM mails WHERE recipient = ${buyer.email} AND subject LIKE '%works longer'`.execute(db())
  expect(rows).toHaveLength(1)
  expect(await mailedText(open.shop, buyer.email)).toContain('It works until 2099-12-31, on 3 devices.')
  for (const less of [{ until: '2030-01-01' }, { devicesPerSeat: 2 }])
    await expect(sold.seller.call(extendLicense, { ...asked, ...less })).rejects.toMatchObject({
      status: 409,
      code: 'shorter',
    })
  expect(await sold.seller.call(extendLicense, { ...asked, until: null })).toMatchObject({ expiresAt: null })
  await refundOrder(open.shop.checkout, order.id, 'asked for', undefined, { isCodeSeen: true })
  await expect(sold.seller.call(extendLicense, { ...asked, devicesPerSeat: 9 })).rejects.toMatchObject({
    code: 'closed',
  })
  await runRefunds(open.shop)
  await expect(sold.seller.call(extendLicense, { ...asked, devicesPerSeat: 9 })).rejects.toMatchObject({
    code: 'closed',
  })
})
