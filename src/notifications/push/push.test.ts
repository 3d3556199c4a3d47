import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { mailedLink } from '../../../test/mail.ts'
import { provider } from '../../../test/provider.ts'
import { until } from '../../../test/sandbox.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { capturePayment, startPayment } from '../../checkout/checkout.contract.ts'
import { changePassword } from '../../identity/accounts/account.contract.ts'
import { endOtherSession, endOtherSessions, listSessions } from '../../identity/sessions/session.contract.ts'
import { sendPush } from './push.enqueue.server.ts'
import { getPushKey, subscribeToPush, unsubscribeFromPush } from './push.contract.ts'

// Creates keys as a browser does. A local push service records the requests of the shop.

const open = openShopForTests({}, { hasJobs: true })
type Handed = { path: string; headers: IncomingHttpHeaders; body: Buffer }
const handed: Handed[] = []
let status = 201
const service = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    handed.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(status).end()
  })
})
let base = ''
beforeAll(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  base = `http://127.0.0.1:${(service.address() as { port: number }).port}`
})
afterAll(() => void service.close())
beforeEach(() => {
  handed.length = 0
  status = 201
})

function newBrowser(endpoint = `${base}/${randomBytes(6).toString('hex')}`) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') }
  /** Decrypts a body by RFC 8291. */
  function read({ body }: Handed): unknown {
    const salt = body.subarray(0, 16)
    const theirs = body.subarray(21, 21 + body[20]!)
    const derive = (from: Buffer, with_: Buffer, info: string | Buffer, length: number) =>
      Buffer.from(hkdfSync('sha256', from, with_, info, length))
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs])
    const ikm = derive(pair.computeSecret(theirs), auth, info, 32)
    const key = derive(ikm, salt, 'Content-Encoding: aes128gcm\0', 16)
    const nonce = derive(ikm, salt, 'Content-Encoding: nonce\0', 12)
    const sealed = body.subarray(21 + theirs.length)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(sealed.subarray(-16))
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString('utf8'))
  }
  return { endpoint, keys, read }
}

async function buy(buyer: Person, title: string) {
  const product = await addProduct(open.shop, { title })
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  await buyer.call(capturePayment, { id })
  return orderId
}

const countBrowsers = async ({ id }: Person) =>
  (await open.shop.database.db.selectFrom('pushSubscriptions').select('id').where('userId', '=', id).execute()).length

test('notifies each browser of the buyer when an order is ready, encrypted for that browser', async () => {
  const ada = await open.shop.join()
  const [phone, laptop] = [newBrowser(), newBrowser()]
  for (const { endpoint, keys } of [phone, laptop]) await ada.call(subscribeToPush, { endpoint, keys })
  const orderId = await buy(ada, 'Night Trains')
  await until(() => handed.length === 2)
  for (const browser of [phone, laptop]) {
    const message = handed.find(({ path }) => browser.endpoint.endsWith(path))!
    expect(browser.read(message)).toEqual({
      title: 'Your order is ready',
      body: 'Night Trains',
      url: `/orders/${orderId}`,
    })
    expect(message.headers['content-encoding']).toBe('aes128gcm')
    expect(Number(message.headers.ttl)).toBeGreaterThan(3600)
  }
})

test("signs each message with the shop's key", async () => {
  const ada = await open.shop.join()
  const { publicKey } = await ada.call(getPushKey, {})
  const { endpoint, keys } = newBrowser()
  await ada.call(subscribeToPush, { endpoint, keys })
  await buy(ada, 'Night Trains')
  await until(() => handed.length === 1)
  const [, token = '', named] = /^vapid t=(\S+), k=(\S+)$/.exec(handed[0]!.headers.authorization!) ?? []
  expect(named).toBe(publicKey)
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: base })
})

test.each([404, 410])('deletes the subscription of a browser whose service answers %i', async (gone) => {
  const ada = await open.shop.join()
  const { endpoint, keys } = newBrowser()
  await ada.call(subscribeToPush, { endpoint, keys })
  status = gone
  await buy(ada, 'Night Trains')
  await until(async () => (await countBrowsers(ada)) === 0)
  expect(handed).toHaveLength(1)
})

test('retries a busy service and keeps the subscription', async () => {
  const ada = await open.shop.join()
  const { endpoint, keys } = newBrowser()
  await ada.call(subscribeToPush, { endpoint, keys })
  status = 503
  await buy(ada, 'Night Trains')
  await until(() => handed.length === 1)
  status = 201
  await until(async () => (await retrySooner('push:%')) > 0)
  await until(() => handed.length === 2)
  expect(await countBrowsers(ada)).toBe(1)
})

test('assigns a browser to the account that subscribed last and protects it from others', async () => {
  const ada = await open.shop.join()
  const bob = await open.shop.join()
  const { endpoint, keys } = newBrowser()
  await ada.call(subscribeToPush, { endpoint, keys })
  await bob.call(subscribeToPush, { endpoint, keys })
  expect([await countBrowsers(ada), await countBrowsers(bob)]).toEqual([0, 1])
  await ada.call(unsubscribeFromPush, { endpoint })
  expect(await countBrowsers(bob)).toBe(1)
  await bob.call(unsubscribeFromPush, { endpoint })
  expect(await countBrowsers(bob)).toBe(0)
})

test('stores only the newest twenty browsers of an account', async () => {
  const ada = await open.shop.join()
  for (let i = 0; i < 22; i++) {
    const { endpoint, keys } = newBrowser()
    await ada.call(subscribeToPush, { endpoint, keys })
  }
  expect(await countBrowsers(ada)).toBe(20)
})

test.each([
  ['an inner address', { endpoint: 'https://169.254.169.254/latest' }],
  ['plain http', { endpoint: 'http://push.example/x' }],
  ['a port of its own', { endpoint: 'https://push.example:5432/x' }],
  ['a key that is none', { keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } }],
  ['a key off the curve', { keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }],
  ['no key', { keys: {} }],
  ['a field too many', { userId: '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f' }],
])('rejects a subscription with %s', async (_, wrong) => {
  const ada = await open.shop.join()
  const { endpoint, keys } = newBrowser('https://push.example/x')
  await expect(ada.call(subscribeToPush, { endpoint, keys, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
})

/** Creates another browser of the account with its own session and subscription. */
async function another(person: Person) {
  const cookie = await open.shop.identity.createSession(person.email)
  const call: Person['call'] = (endpoint, input) => person.call(endpoint, input, { headers: { cookie } })
  const browser = newBrowser()
  await call(subscribeToPush, { endpoint: browser.endpoint, keys: browser.keys })
  return { ...browser, cookie, call }
}
/** Makes failed jobs due now and returns their number. */
async function retrySooner(key: string) {
  const { rowCount } = await run(
    `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE $1 AND attempts > 0 AND locked_at IS NULL`,
    [key],
  )
  await run(`SELECT pg_notify('jobs:insert', '{"r":"x","count":1}')`, [])
  return rowCount ?? 0
}
const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`
const run = (text: string, values: unknown[]) => open.shop.database.pool.query(text, values)
const post = (path: string | URL, form: Record<string, string>, cookie = '') =>
  fetch(new URL(path, open.shop.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams(form),
  })

type Other = Awaited<ReturnType<typeof another>>
const NEW = 'a quiet river bend'
const endings: [how: string, end: (ada: Person, phone: Other) => Promise<unknown>, isOwnKept: boolean][] = [
  ['is signed out', async (_, { cookie }) => post('/api/logout', {}, cookie), true],
  ['is signed out from another', (ada) => ada.call(endOtherSessions, {}), true],
  [
    'loses its session in the list',
    async (ada) => {
      const other = (await ada.call(listSessions, {})).find(({ isThis }) => !isThis)!
      await ada.call(endOtherSession, { id: other.id })
    },
    true,
  ],
  [
    'does not know the changed password',
    (ada) => ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: NEW }),
    true,
  ],
  [
    'does not know the password chosen by mail',
    async (ada) => {
      await post('/api/login/forgot', { email: ada.email })
      await post(await mailedLink(open.shop, ada.email, 'Choose a new password'), { password: NEW })
    },
    false,
  ],
  [
    'has not been used for a day',
    (_, { endpoint }) =>
      run(
        `UPDATE sessions SET expires_at = now() - interval '1 minute'
         WHERE id = (SELECT session_id FROM push_subscriptions WHERE endpoint = $1)`,
        [endpoint],
      ),
    true,
  ],
]
test.each(endings)(
  'stops notifying a browser that %s and continues to notify a signed-in browser',
  async (_, end, isOwnKept) => {
    const ada = await open.shop.join()
    const own = newBrowser()
    await ada.call(subscribeToPush, { endpoint: own.endpoint, keys: own.keys })
    const phone = await another(ada)
    await end(ada, phone)
    // rolls back, so that the next test receives no notification
    const tx = await open.shop.database.db.startTransaction().execute()
    await sendPush(tx, ada.id, { key: 'answer', title: 'Support has answered you', body: 'x', url: '/' })
    const { rows } = await sql<{ endpoint: string }>`SELECT p.endpoint FROM graphile_worker.jobs j
    JOIN push_subscriptions p ON j.key = 'push:answer:' || p.id`.execute(tx)
    await tx.rollback().execute()
    const told = new Set(rows.map(({ endpoint }) => endpoint))
    expect([told.has(phone.endpoint), told.has(own.endpoint)]).toEqual([false, isOwnKept])
  },
)

test('sends no queued notification to an expired session', async () => {
  const ada = await open.shop.join()
  const phone = await another(ada)
  status = 503
  await sendPush(open.shop.database.db, ada.id, { key: 'answer', title: 'Hello', body: 'x', url: '/' })
  const isTold = ({ path }: Handed) => phone.endpoint.endsWith(path)
  await until(() => handed.some(isTold))
  await run(`UPDATE sessions SET expires_at = now() - interval '1 minute' WHERE user_id = $1`, [ada.id])
  status = 201
  await until(async () => (await retrySooner('push:answer:%')) === 0)
  expect(handed.filter(isTold)).toHaveLength(1)
})

test('notifies a browser that signed in and subscribed again', async () => {
  const ada = await open.shop.join()
  const phone = await another(ada)
  await post('/api/logout', {}, phone.cookie)
  expect(await countBrowsers(ada)).toBe(0)
  const { endpoint, keys } = phone
  await expect(phone.call(subscribeToPush, { endpoint, keys })).rejects.toMatchObject({ status: 401 })
  await ada.call(subscribeToPush, { endpoint, keys })
  await buy(ada, 'Night Trains')
  await until(() => handed.length === 1)
})
