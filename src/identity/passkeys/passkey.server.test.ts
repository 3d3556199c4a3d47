import { expect, test } from 'vitest'
import { newAuthenticator } from '../../../test/authenticator.ts'
import { openShopForTests, openTestShop, type Person, type TestShop } from '../../../test/shop.ts'
import { appOf } from '../../../test/totp.ts'
import { type Endpoint, fillPath, type Input } from '../../kit/contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { getCurrentUser } from '../identity.contract.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  type KeyProof,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkey.contract.ts'
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/secondFactor.contract.ts'

const open = openShopForTests()
type Options = Record<string, unknown>

function newBrowser(cookie = '', shop: TestShop = open.shop) {
  const jar = new Map(cookie ? [cookie.split(/=(.*)/s).slice(0, 2) as [string, string]] : [])
  async function ask<E extends Endpoint>(endpoint: E, input: Input<E>) {
    const { method, path, rest } = fillPath(endpoint.line, input as Options)
    const response = await fetch(shop.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
      },
      ...(method !== 'GET' && { body: JSON.stringify(rest) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s)
      jar.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) as Options & { to?: string } }
  }
  return { jar, ask }
}

async function addKey(person: Person, name = 'Laptop', device = newAuthenticator(open.shop.url)) {
  const browser = newBrowser(person.cookie)
  const { body } = await browser.ask(beginPasskey, {})
  const added = await browser.ask(addPasskey, { name, key: device.make(body) })
  return { device, added, options: body }
}

async function signIn(show: (options: Options) => KeyProof, browser = newBrowser()) {
  const { body } = await browser.ask(beginPasskeySignIn, {})
  return { ...(await browser.ask(signInByPasskey, { proof: show(body), returnTo: '/cart' })), browser }
}

const whoIs = (browser: ReturnType<typeof newBrowser>) => browser.ask(getCurrentUser, {})

test('a passkey alone signs in, with a new session, to the requested page', async () => {
  const ada = await open.shop.join()
  const { device, added } = await addKey(ada)
  expect(added.status).toBe(201)
  const browser = newBrowser(await open.shop.identity.createSession((await open.shop.join()).email))
  const before = browser.jar.get('primo')
  const { status, body } = await signIn(device.show, browser)
  expect([status, body.to]).toEqual([200, '/cart'])
  expect((await whoIs(browser)).body).toMatchObject({ id: ada.id })
  // never adopts the session of the cookie: its deletion reaches the node by NOTIFY
  expect(browser.jar.get('primo')).not.toBe(before)
  await expect.poll(() => open.shop.identity.identify(`primo=${before}`)).toBeNull()
})

test('a passkey replaces password and code, because the device verifies its owner', async () => {
  const ada = await open.shop.join()
  const { key } = await ada.call(beginSecondFactor, { password: `correct horse ${/\d+/.exec(ada.email)![0]}` })
  await ada.call(confirmSecondFactor, { code: appOf(key)(0) })
  const { device } = await addKey(ada)
  expect((await signIn(device.show)).status).toBe(200)
})

test('accepts only one of two copies of a passkey that sign in at once', async () => {
  const { device } = await addKey(await open.shop.join())
  const { db, pool } = open.shop.database
  const browsers = [newBrowser(), newBrowser()]
  const signed = await inTransaction(db, async (tx) => {
    await tx.selectFrom('passkeys').select('id').forUpdate().execute()
    const same = (options: Options) => device.show(options, { counter: 9 })
    const both = Promise.all(browsers.map((browser) => signIn(same, browser)))
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(2)
    return { both }
  })
  expect((await signed.both).map(({ status }) => status).sort()).toEqual([200, 401])
})

let shared: Awaited<ReturnType<typeof addKey>> | undefined

test.each<[string, (device: ReturnType<typeof newAuthenticator>, options: Options) => KeyProof]>([
  ['signed without finger or PIN', (device, options) => device.show(options, { isVerified: false })],
  ['signed for another site', (device, options) => device.show(options, { origin: 'https://evil.example' })],
  ['signed for another host', (device, options) => device.show(options, { rpId: 'evil.example' })],
  ['of another ceremony', (device, options) => device.show(options, { type: 'webauthn.create' })],
  [
    'signed for another challenge',
    (device) => device.show({ challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
  ],
  [
    'signed by another key',
    (device, options) => ({
      ...device.show(options),
      signature: newAuthenticator(open.shop.url).show(options).signature,
    }),
  ],
  ["with another's handle", (device, options) => ({ ...device.show(options), userHandle: 'AAAA' })],
  ['of a copy whose counter stands still', (device, options) => device.show(options, { counter: 1 })],
  ['of a key that nobody has', (_, options) => newAuthenticator(open.shop.url).show(options)],
  ['that is no signature at all', (device, options) => ({ ...device.show(options), signature: 'AAAA' })],
])('a proof %s gets the same error', async (_, show) => {
  const { device } = (shared ??= await addKey(await open.shop.join()))
  const refused = await signIn((options) => show(device, options))
  expect(refused.status).toBe(401)
  expect(refused.text).toBe(
    '{"message":"That passkey wasn’t accepted. Try again, or use your password.","code":"passkey_refused"}',
  )
  expect(refused.browser.jar.has('primo')).toBe(false)
  // the honest device still works
  expect((await signIn(device.show)).status).toBe(200)
})

test('a passkey without a counter signs in repeatedly', async () => {
  const { device } = await addKey(await open.shop.join(), 'Phone', newAuthenticator(open.shop.url, { countsUp: false }))
  for (let i = 0; i < 3; i++) expect((await signIn(device.show)).status).toBe(200)
})

test('a challenge works once, in its own browser, within five minutes', async () => {
  // without a counter, because a counter would also reject the second response
  const { device } = await addKey(await open.shop.join(), 'Phone', newAuthenticator(open.shop.url, { countsUp: false }))
  const [browser, stranger] = [newBrowser(), newBrowser()]
  const { body } = await browser.ask(beginPasskeySignIn, {})
  await stranger.ask(beginPasskeySignIn, {})
  const proof = device.show(body)
  expect((await stranger.ask(signInByPasskey, { proof })).status).toBe(401)
  expect((await browser.ask(signInByPasskey, { proof })).status).toBe(200)
  expect((await browser.ask(signInByPasskey, { proof })).status).toBe(401)

  const late = await browser.ask(beginPasskeySignIn, {})
  await open.shop.database.pool.query(
    `UPDATE verifications SET expires_at = expires_at - interval '5 minutes' WHERE identifier LIKE 'passkey:%'`,
  )
  expect((await browser.ask(signInByPasskey, { proof: device.show(late.body) })).status).toBe(401)
})

test('accepts one of eight concurrent responses to a challenge', async () => {
  // without a counter, because a counter would also reject the second response
  const { device } = await addKey(await open.shop.join(), 'Phone', newAuthenticator(open.shop.url, { countsUp: false }))
  const browser = newBrowser()
  const { body } = await browser.ask(beginPasskeySignIn, {})
  const proof = device.show(body)
  const answers = await Promise.all(Array.from({ length: 8 }, () => browser.ask(signInByPasskey, { proof })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('stores a passkey once, for its account, and only with user verification', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const { device, options } = await addKey(ada)
  expect(options).toMatchObject({ authenticatorSelection: { userVerification: 'required', residentKey: 'required' } })
  expect(JSON.stringify(options)).not.toContain(bob.email)
  // rejects a second passkey of the same device, for any account
  expect((await addKey(ada, 'Again', device)).added.status).toBe(409)
  expect((await addKey(bob, 'Mine now', device)).added.status).toBe(409)

  const [first, second] = [newBrowser(ada.cookie), newBrowser(bob.cookie)]
  const begun = await first.ask(beginPasskey, {})
  second.jar.set('primo-passkey', first.jar.get('primo-passkey')!)
  const other = newAuthenticator(open.shop.url)
  expect((await second.ask(addPasskey, { name: 'Stolen', key: other.make(begun.body) })).status).toBe(409)
  const again = await first.ask(beginPasskey, {})
  const unverified = other.make(again.body, { isVerified: false })
  expect((await first.ask(addPasskey, { name: 'Unverified', key: unverified })).status).toBe(409)
  // a sign-in challenge cannot add a passkey
  const signing = await first.ask(beginPasskeySignIn, {})
  const made = other.make({ ...again.body, challenge: signing.body.challenge })
  expect((await first.ask(addPasskey, { name: 'Wrong way', key: made })).status).toBe(409)
  expect(await bob.call(listPasskeys, {})).toEqual([])
})

test('only the owner names, renames and removes passkeys, and a removed passkey cannot sign in', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const { device } = await addKey(ada, ' Laptop ')
  await addKey(ada, 'Phone')
  await signIn(device.show)
  const keys = await ada.call(listPasskeys, {})
  expect(keys.map(({ name, lastUsedAt }) => [name, lastUsedAt !== null])).toEqual([
    ['Phone', false],
    ['Laptop', true],
  ])
  const id = keys[1]!.id
  await expect(bob.call(renamePasskey, { id, name: 'Mine' })).rejects.toMatchObject({ status: 404 })
  await expect(bob.call(removePasskey, { id })).rejects.toMatchObject({ status: 404 })
  expect((await ada.call(renamePasskey, { id, name: 'Work' })).map(({ name }) => name)).toEqual(['Phone', 'Work'])
  expect(await ada.call(removePasskey, { id })).toHaveLength(1)
  expect((await signIn(device.show)).status).toBe(401)
  const mails = open.shop.database.db.selectFrom('mails').select('subject').where('recipient', '=', ada.email)
  expect((await mails.execute()).map(({ subject }) => subject).sort()).toEqual([
    'A passkey was added',
    'A passkey was added',
    'A passkey was removed',
  ])
})

test('limits an account to twenty passkeys', async () => {
  const ada = await open.shop.join()
  await open.shop.database.pool.query(
    `INSERT INTO passkeys (user_id, credential_id, public_key, name) SELECT $1::uuid, n || $1::text, '', 'k' FROM generate_series(1, 20) n`,
    [ada.id],
  )
  expect((await addKey(ada)).added).toMatchObject({ status: 409, body: { code: 'too_many_passkeys' } })
})

test('stores no secret of a passkey', async () => {
  await addKey(await open.shop.join())
  const { rows } = await open.shop.database.pool.query<{ public_key: Buffer }>('SELECT public_key FROM passkeys')
  // 77 bytes are a COSE key with only the public point
  for (const row of rows.filter(({ public_key }) => public_key.length > 0)) expect(row.public_key).toHaveLength(77)
})

test('limits passkey sign-ins per address', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1' })
  const browser = newBrowser('', shop)
  // concurrently, because the limit refills an attempt every two seconds
  const asked = await Promise.all(Array.from({ length: 60 }, () => browser.ask(beginPasskeySignIn, {})))
  const statuses = asked.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(30)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  await shop.close()
})
