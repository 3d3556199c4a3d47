import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { openIdentityProvider } from '../../../test/identityProvider.ts'
import { findFreePort } from '../../kit/serve/port.server.ts'
import { openBrowser, openTestNode, type TestNode } from '../../../test/identity.ts'
import { UNDO } from '../email/undo.store.server.ts'
import { SIGN_UP } from '../password/password.store.server.ts'
import { issueToken } from '../token.store.server.ts'

const CALLBACK = 'http://localhost/api/login/callback'
type Provider = Awaited<ReturnType<typeof openIdentityProvider>>

let provider: Provider
let node: TestNode
let url: string
let drop: () => Promise<void>

beforeAll(async () => {
  hushProvider()
  const made = await createTestDatabase()
  ;({ url, drop } = made)
  provider = await openIdentityProvider(CALLBACK)
  node = await openTestNode(url, provider.settings)
})
afterAll(async () => {
  await node.close()
  await provider.close()
  await drop()
})
beforeEach(() => {
  hushProvider()
  provider.state.isDeclining = false
})

/** Silences its console warning about production use. */
function hushProvider() {
  for (const way of ['info', 'warn'] as const) vi.spyOn(console, way).mockImplementation(() => undefined)
}

const pathOf = (to: string) => to.slice(new URL(to).origin.length)
type Browser = ReturnType<typeof openBrowser>

/** Signs in at the provider as this person and returns the shop's answer. */
async function signIn(subject: string, browser: Browser = openBrowser(node.base), query = '') {
  provider.state.current = subject
  const { location } = await browser.get(`/api/login${query}`)
  return { browser, answer: await browser.get(pathOf(await provider.visit(location!))) }
}
const person = (subject: string, email: string, more: object = {}) =>
  provider.people.set(subject, { email, email_verified: true, ...more })

test('sign-in goes to the provider with PKCE, state and nonce and returns to the requested page', async () => {
  person('ada', 'Ada@id.example', { given_name: 'Ada', family_name: 'Okafor' })
  const browser = openBrowser(node.base)
  const { status, location, headers } = await browser.get('/api/login?returnTo=%2Forders')
  expect(status).toBe(302)
  const asked = new URL(location!)
  expect(asked.origin).toBe(provider.issuer)
  expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(asked.searchParams.get(name)!.length).toBeGreaterThanOrEqual(43)
  expect(headers.getSetCookie()[0]).toMatch(/^primo-journey=.*; HttpOnly; SameSite=Lax; Max-Age=600/)
  provider.state.current = 'ada'
  const back = await browser.get(pathOf(await provider.visit(location!)))
  expect([back.status, back.location]).toEqual([303, '/orders'])
  expect(await browser.whoAmI()).toBe('ada@id.example')
  const user = await node.database.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'ada@id.example')
    .executeTakeFirst()
  expect(user).toMatchObject({ firstName: 'Ada', lastName: 'Okafor', emailVerified: true, role: 'member' })
  expect((await browser.get('/api/login')).location).toBe('/')
})

test('recognises a linked user whose address at the provider changed', async () => {
  person('bob', 'bob@id.example')
  await signIn('bob')
  person('bob', 'robert@id.example', { email_verified: false })
  expect(await (await signIn('bob')).browser.whoAmI()).toBe('bob@id.example')
})

test('links an account by an address that both sides verified, and mails its owner', async () => {
  const email = 'carol@shop.example'
  const id = await node.identity.createUser({ email, password: 'tame otters sing', isAdmin: true })
  person('carol', email)
  const { browser } = await signIn('carol')
  expect(await browser.whoAmI()).toBe(email)
  expect((await node.mailTo(email)).subject).toBe('New way to sign in')
  const linked = await node.database.db.selectFrom('accounts').select('providerId').where('userId', '=', id).execute()
  expect(linked.map(({ providerId }) => providerId).sort()).toEqual(['credential', 'oidc'])
})

test('refuses to link by an address that one side has not verified', async () => {
  await node.identity.createUser({ email: 'dora@shop.example', password: 'tame otters sing' })
  person('thief', 'dora@shop.example', { email_verified: false })
  const thief = await signIn('thief')
  expect([thief.answer.status, await thief.browser.whoAmI()]).toEqual([403, null])
  person('vague', 'new@shop.example', { email_verified: undefined })
  expect((await signIn('vague')).answer.status).toBe(403)

  await node.identity.createUser({ email: 'squat@shop.example', password: 'tame otters sing', emailVerified: false })
  person('owner', 'squat@shop.example')
  const owner = await signIn('owner')
  expect([owner.answer.status, await owner.browser.whoAmI()]).toEqual([403, null])
  expect(owner.answer.text).toContain('/api/login/forgot')
})

test('makes no account for an address that the former owner can still take back', async () => {
  const email = 'grace@shop.example'
  await issueToken(node.database.db, UNDO, { from: email }, 3600)
  person('grace', email)
  const { answer, browser } = await signIn('grace')
  expect([answer.status, await browser.whoAmI()]).toEqual([409, null])
  const made = await node.database.db.selectFrom('users').select('id').where('email', '=', email).execute()
  expect(made).toEqual([])
})

test('a provider response signs in only the browser that began, once', async () => {
  person('eve', 'eve@id.example')
  provider.state.current = 'eve'
  const [eve, victim] = [openBrowser(node.base), openBrowser(node.base)]
  const path = pathOf(await provider.visit((await eve.get('/api/login')).location!))
  // first a browser that began no sign-in, then a browser that began a different one
  expect((await victim.get(path)).status).toBe(400)
  await victim.get('/api/login')
  expect((await victim.get(path)).status).toBe(400)
  // every outcome deletes the journey cookie
  expect(victim.jar.has('primo-journey')).toBe(false)
  expect(await victim.whoAmI()).toBe(null)
  // a forged journey cookie
  victim.jar.set('primo-journey', eve.jar.get('primo-journey')!.replace(/^./, 'x'))
  expect((await victim.get(path)).status).toBe(400)
  expect((await eve.get(path)).status).toBe(303)
  expect(eve.jar.has('primo-journey')).toBe(false)
  expect((await eve.get(path)).status).toBe(400)
})

test('rejects a changed state, code or issuer', async () => {
  person('finn', 'finn@id.example')
  provider.state.current = 'finn'
  for (const [name, value] of [
    ['state', 'another'],
    ['code', 'another'],
    ['iss', 'https://evil.example'],
  ]) {
    const browser = openBrowser(node.base)
    const back = new URL(await provider.visit((await browser.get('/api/login')).location!))
    back.searchParams.set(name!, value!)
    expect((await browser.get(pathOf(back.href))).status, name).toBe(400)
    expect(await browser.whoAmI()).toBe(null)
  }
})

test('rejects an ID token that the provider has not signed', async () => {
  person('forge', 'forge@id.example')
  provider.state.isForging = true
  const { browser, answer } = await signIn('forge')
  provider.state.isForging = false
  expect([answer.status, await browser.whoAmI()]).toEqual([400, null])
})

test('a canceled sign-in at the provider returns to the shop', async () => {
  provider.state.isDeclining = true
  const { answer } = await signIn('ada', openBrowser(node.base), '?returnTo=%2Fcart')
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('/api/login?returnTo=%2Fcart')
  provider.state.isDeclining = false
  const evil = await signIn('ada', openBrowser(node.base), '?returnTo=https%3A%2F%2Fevil.example')
  expect(evil.answer.location).toBe('/')
})

test('requires the second factor after the provider', async () => {
  person('gina', 'gina@id.example')
  await signIn('gina')
  await node.database.pool.query(
    `INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) SELECT id, 'x', now() FROM users WHERE email = 'gina@id.example'`,
  )
  const { browser, answer } = await signIn('gina')
  expect(answer.location).toBe('/api/login/code')
  expect(await browser.whoAmI()).toBe(null)
})

test('mails no sign-in link, redeems none and offers none', async () => {
  const email = 'iris@shop.example'
  await node.identity.createUser({ email, password: 'tame otters sing' })
  const browser = openBrowser(node.base)
  const token = await issueToken(node.database.db, SIGN_UP, { email, returnTo: '/', browser: '' }, 3600)
  for (const path of ['sign-up', 'link', 'verify-sent', `verify?token=${token}`])
    expect([404, 405], path).toContain((await browser.post(`/api/login/${path}`, { email })).status)
  for (const path of ['sign-up?returnTo=%2Fcart', 'link?returnTo=%2Fcart', `verify?token=${token}&returnTo=%2Fcart`]) {
    const { status, location } = await browser.get(`/api/login/${path}`)
    expect([status, location], path).toEqual([302, '/api/login?returnTo=%2Fcart'])
  }
  expect(await browser.whoAmI()).toBe(null)
  const mails = node.database.db.selectFrom('mails').select('subject').where('recipient', '=', email)
  expect(await mails.execute()).toEqual([])
  const { text } = await browser.get('/api/login/password?returnTo=%2Fcart')
  expect(text).toContain('<a href="/api/login?returnTo=%2Fcart">Use your sign-in service</a>')
  expect(text).not.toMatch(/Email me a link|Create an account/)
  const refused = await browser.post('/api/login/password', { email, password: 'wild otters sing' })
  expect(refused.status).toBe(401)
  expect(refused.text).not.toContain('Email me a link')
})

test('mails a link for a new password only to accounts without the identity provider', async () => {
  person('hugo', 'hugo@id.example')
  await signIn('hugo')
  await node.identity.createUser({ email: 'jana@shop.example', password: 'tame otters sing' })
  const mailsTo = async (email: string) => {
    await openBrowser(node.base).post('/api/login/forgot', { email })
    return node.database.db.selectFrom('mails').select('subject').where('recipient', '=', email).execute()
  }
  expect(await mailsTo('hugo@id.example')).toEqual([])
  expect(await mailsTo('jana@shop.example')).toHaveLength(1)
})

test('a provider that was down at start-up works once it is back', async () => {
  const port = await findFreePort()
  const late = await openTestNode(url, {
    OIDC_ISSUER: `http://127.0.0.1:${port}`,
    OIDC_CLIENT_ID: 'shop',
    OIDC_CLIENT_SECRET: 'a secret of the shop',
  })
  const browser = openBrowser(late.base)
  const away = await browser.get('/api/login?returnTo=%2Fcart')
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
  expect(away.text).toContain('/api/login/password?returnTo=%2Fcart')
  const back = await openIdentityProvider(CALLBACK, port)
  back.people.set('hana', { email: 'hana@id.example', email_verified: true })
  back.state.current = 'hana'
  const { location } = await browser.get('/api/login')
  expect((await browser.get(pathOf(await back.visit(location!)))).status).toBe(303)
  expect(await browser.whoAmI()).toBe('hana@id.example')
  await back.close()
  await late.close()
})
