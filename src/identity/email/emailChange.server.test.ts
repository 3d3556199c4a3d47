import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAuthenticator } from '../../../test/authenticator.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { appOf } from '../../../test/totp.ts'
import type { Endpoint } from '../../kit/contract.ts'
import { openBrowser, openTestNode, type TestNode } from '../../../test/identity.ts'
import { addPasskey, beginPasskey, beginPasskeySignIn, signInByPasskey } from '../passkeys/passkey.contract.ts'
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/secondFactor.contract.ts'

let node: TestNode
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  node = await openTestNode(made.url)
})
afterAll(async () => {
  await node.close()
  await drop()
})

const password = 'tame otters sing'
let people = 0

async function join(email = `person${++people}@shop.example`) {
  await node.identity.createUser({ email, password })
  const browser = openBrowser(node.base)
  await browser.post('/api/login/password', { email, password })
  return { email, browser }
}
type Member = Awaited<ReturnType<typeof join>>

async function ask({ browser }: Member, email: string) {
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${node.base}/api/account/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ email }),
  })
  return { status: response.status, text: await response.text() }
}
const mailsTo = (recipient: string) =>
  node.database.db.selectFrom('mails').select('subject').where('recipient', '=', recipient).execute()

test('the old address gets no new account while its owner can restore it', async () => {
  const ada = await join()
  const to = 'thief@shop.example'
  await ask(ada, to)
  await ada.browser.post((await node.mailTo(to)).path, {})
  const undo = (await node.mailTo(ada.email)).path
  const owner = openBrowser(node.base)
  const answer = await owner.post('/api/login/link', { email: ada.email })
  expect([answer.status, answer.location]).toEqual([303, '/api/login/verify-sent'])
  const mail = await node.mailTo(ada.email)
  expect([mail.subject, mail.path]).toEqual(['Your account has another address', ''])
  expect((await owner.post(undo, {})).status).toBe(200)
  await owner.post('/api/login/link', { email: ada.email })
  expect((await owner.get((await node.mailTo(ada.email)).path)).status).toBe(303)
  expect(await owner.whoAmI()).toBe(ada.email)
  expect(
    await node.database.db.selectFrom('users').select('id').where('email', 'in', [ada.email, to]).execute(),
  ).toHaveLength(1)
})

test('a link that was mailed before the change of the address creates no account', async () => {
  const ada = await join()
  const to = 'other-thief@shop.example'
  const owner = openBrowser(node.base)
  await owner.post('/api/login/link', { email: ada.email })
  const link = (await node.mailTo(ada.email)).path
  await ask(ada, to)
  await ada.browser.post((await node.mailTo(to)).path, {})
  const undo = (await node.mailTo(ada.email)).path
  expect((await owner.get(link)).status).toBe(410)
  expect((await owner.post(undo, {})).status).toBe(200)
})

test('a link in the mail to the new address confirms the change, and the old address gets two mails', async () => {
  const ada = await join()
  const to = 'ada.new@shop.example'
  expect(await ask(ada, ' Ada.New@shop.example ')).toEqual({ status: 202, text: `{"sentTo":"${to}"}` })
  expect(await ada.browser.whoAmI()).toBe(ada.email)
  expect((await node.mailTo(ada.email)).subject).toBe('Someone wants to change your email address')
  const { path } = await node.mailTo(to)
  expect((await ada.browser.get(path)).text).toContain(to)
  expect(await ada.browser.whoAmI()).toBe(ada.email)
  expect((await ada.browser.post(path, {})).status).toBe(200)
  await expect.poll(() => ada.browser.whoAmI()).toBe(to)
  expect((await node.mailTo(ada.email)).subject).toBe('Your email address was changed')
  expect((await ada.browser.post(path, {})).status).toBe(410)
})

test('the link to a new address works only in the session of its account', async () => {
  const [ada, eve] = [await join(), await join()]
  const to = 'ada.mine@shop.example'
  await ask(ada, to)
  const { path } = await node.mailTo(to)
  for (const browser of [openBrowser(node.base), eve.browser]) {
    const page = await browser.get(path)
    expect([page.status, page.text.includes(ada.email)]).toEqual([403, false])
    expect((await browser.post(path, {})).status).toBe(403)
  }
  expect(await ada.browser.whoAmI()).toBe(ada.email)
  expect(await eve.browser.whoAmI()).toBe(eve.email)
})

test('the old address undoes the change, ends all sessions and revokes later undo links', async () => {
  const ada = await join()
  const [first, second] = ['thief.one@shop.example', 'thief.two@shop.example']
  await ask(ada, first)
  await ada.browser.post((await node.mailTo(first)).path, {})
  const undo = (await node.mailTo(ada.email)).path
  await expect.poll(() => ada.browser.whoAmI()).toBe(first)
  await ask(ada, second)
  await ada.browser.post((await node.mailTo(second)).path, {})
  await expect.poll(() => ada.browser.whoAmI()).toBe(second)
  const undoOfThief = (await node.mailTo(first)).path

  const owner = openBrowser(node.base)
  expect((await owner.get(undo)).text).toContain(ada.email)
  expect((await owner.post(undo, {})).status).toBe(200)
  await expect.poll(() => ada.browser.whoAmI()).toBe(null)
  expect((await owner.post(undo, {})).status).toBe(410)
  expect((await owner.post(undoOfThief, {})).status).toBe(410)
})

test('an undone address change leaves a password reset by mail as the only way to sign in', async () => {
  const { db } = node.database
  const ada = await join()
  const to = 'thief.three@shop.example'
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ada.email)
    .executeTakeFirstOrThrow()
  const thief = newAuthenticator('http://localhost')
  const { body: toMake } = await callIn(ada.browser, beginPasskey, {})
  expect((await callIn(ada.browser, addPasskey, { name: 'x', key: thief.make(toMake) })).status).toBe(201)
  await db
    .insertInto('accounts')
    .values({ userId, providerId: 'oidc', accountId: 'https://id.example|thief' })
    .execute()
  const { body: enrolment } = await callIn(ada.browser, beginSecondFactor, { password })
  await callIn(ada.browser, confirmSecondFactor, { code: appOf(enrolment.key as string)(0) })
  // inserts the row of a push subscription, because push belongs to another room
  const { id: sessionId } = await db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('pushSubscriptions')
    .values({ userId, sessionId, endpoint: 'https://push.example/of-the-thief', p256dh: 'x', auth: 'y' })
    .execute()
  await ask(ada, to)
  await ada.browser.post((await node.mailTo(to)).path, {})

  const owner = openBrowser(node.base)
  const { path: undo } = await node.mailTo(ada.email)
  const told = /password,\s+passkeys,\s+two-factor\s+authentication\s+and\s+linked\s+sign-ins\s+are\s+removed/
  expect((await owner.get(undo)).text).toMatch(told)
  expect((await owner.post(undo, {})).text).toMatch(told)
  const mail = await node.mailTo(ada.email)
  expect([mail.subject, mail.path]).toEqual(['Your account is yours again', '/api/login/forgot'])

  const again = openBrowser(node.base)
  const { body: toShow } = await callIn(again, beginPasskeySignIn, {})
  expect((await callIn(again, signInByPasskey, { proof: thief.show(toShow) })).status).toBe(401)
  expect((await again.post('/api/login/password', { email: ada.email, password })).status).toBe(401)
  for (const table of ['accounts', 'pushSubscriptions'] as const)
    expect(await db.selectFrom(table).select('id').where('userId', '=', userId).execute(), table).toEqual([])

  await owner.post('/api/login/forgot', { email: ada.email })
  const next = 'an old river bend'
  expect((await owner.post((await node.mailTo(ada.email)).path, { password: next })).status).toBe(303)
  await owner.post('/api/login/password', { email: ada.email, password: next })
  expect(await owner.whoAmI()).toBe(ada.email)
})

/** Calls an endpoint and stores the cookies of the response. */
async function callIn(browser: Member['browser'], endpoint: Endpoint, given: object) {
  const [method = '', path = ''] = endpoint.line.split(' ')
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'application/json', cookie }
  const response = await fetch(node.base + path, { method, headers, body: JSON.stringify(given) })
  for (const line of response.headers.getSetCookie()) {
    const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s)
    browser.jar.set(name, value)
  }
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('every address change revokes reset links sent to the former address', async () => {
  const ada = await join()
  const to = 'ada.moved@shop.example'
  const askForLink = async (email: string) => {
    await openBrowser(node.base).post('/api/login/forgot', { email })
    return (await node.mailTo(email)).path
  }
  const statusOf = async (path: string) => (await openBrowser(node.base).get(path)).status
  await ask(ada, to)
  const { path: change } = await node.mailTo(to)
  const former = await askForLink(ada.email)
  expect(await statusOf(former)).toBe(200)
  await ada.browser.post(change, {})
  expect(await statusOf(former)).toBe(410)

  const { path: undo } = await node.mailTo(ada.email)
  const later = await askForLink(to)
  expect(await statusOf(later)).toBe(200)
  await openBrowser(node.base).post(undo, {})
  expect(await statusOf(later)).toBe(410)
})

test('the undo link works for three days', async () => {
  const ada = await join()
  const to = 'ada.late@shop.example'
  await ask(ada, to)
  await ada.browser.post((await node.mailTo(to)).path, {})
  const { path } = await node.mailTo(ada.email)
  const age = (hours: number) =>
    node.database.pool.query(
      `UPDATE verifications SET expires_at = expires_at - $1 * interval '1 hour' WHERE identifier LIKE 'email-undo:%'`,
      [hours],
    )
  await age(71)
  expect((await ada.browser.get(path)).status).toBe(200)
  await age(1)
  expect((await ada.browser.post(path, {})).status).toBe(410)
})

test('returns the same response for a taken address, whose owner gets a mail without a link', async () => {
  const [ada, bob] = [await join(), await join()]
  expect(await ask(ada, bob.email)).toEqual({ status: 202, text: `{"sentTo":"${bob.email}"}` })
  const mail = await node.mailTo(bob.email)
  expect([mail.subject, mail.path]).toEqual(['This address already has an account', ''])
  expect((await ask(ada, 'free@shop.example')).status).toBe(202)
})

test('an address change request takes a quarter second for known and unknown addresses', async () => {
  const [ada, bob] = [await join(), await join()]
  for (const email of [bob.email, 'free.too@shop.example']) {
    const begun = performance.now()
    expect((await ask(ada, email)).status).toBe(202)
    expect(performance.now() - begun, email).toBeGreaterThan(245)
  }
})

test('rejects an address that another account took meanwhile', async () => {
  const ada = await join()
  const to = 'wanted@shop.example'
  await ask(ada, to)
  const { path } = await node.mailTo(to)
  await join(to)
  expect((await ada.browser.post(path, {})).status).toBe(409)
  expect(await ada.browser.whoAmI()).toBe(ada.email)
})

test('an address change needs a fresh proof, and only its newest link works', async () => {
  const ada = await join()
  await ask(ada, 'ada.1@shop.example')
  await ask(ada, 'ada.2@shop.example')
  expect((await ada.browser.post((await node.mailTo('ada.1@shop.example')).path, {})).status).toBe(410)
  await node.database.pool.query(`UPDATE sessions SET verified_at = now() - interval '11 minutes'`)
  expect((await ask(ada, 'ada.3@shop.example')).text).toContain('step_up_required')
  expect(await mailsTo('ada.3@shop.example')).toEqual([])
})

test.each([['nobody'], [''], ['a@b'], ['x'.repeat(300) + '@shop.example']])(
  'rejects %s as the new address',
  async (email) => {
    const ada = await join()
    expect((await ask(ada, email)).status).toBe(400)
    expect((await ask(ada, ada.email)).status).toBe(400)
  },
)
