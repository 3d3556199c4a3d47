import { createPrivateKey } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAuthenticator } from '../../test/authenticator.ts'
import { createTestDatabase } from '../../test/database.ts'
import { openBrowser, openTestNode, type TestNode } from '../../test/identity.ts'
import { codeAt } from './second-factor/totp.server.ts'

// Rows and cookies of the first release, byte for byte. Later releases must accept them.

const USER = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const EMAIL = 'stored@example.com'
const PASSWORD = 'violet-harbour-71'
const COOKIE = 'primo=mW3rYvVfT1cJp0k5uQeXb7zA9sLhN2dG.GB4FKrlmheQLTRsPYynZB2SC%2Bic1YgYe2CgwPxZVuiM%3D'
const KEY = Buffer.from('twenty bytes of key!')
const PASSKEY_ID = 'ASWl9Oid2T96CQlFSwfCGzJMM2P6wQF1Vzl0jRfvEIw'
const PASSKEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7vqM8cx6j7RG31Bm/3XArLZI3F6s6BloP7F+idxLi9ahRANCAAQr47JShBe3dLSZTuGl05TwZR03bS5S3BxeuifjZzz6TLP3JdpyrmTvI0LjHQ2HTTKMHhNUCp33oVEbD5pcW7yN'

const ROWS = `
  INSERT INTO users (id, email, email_verified) VALUES ('${USER}', '${EMAIL}', true);
  INSERT INTO accounts (user_id, account_id, provider_id, password) VALUES ('${USER}', '${USER}', 'credential',
    '$argon2id$v=19$m=19456,t=2,p=1$P65ayCwcSwnDQRDi9VtE5Q$FQ1FJgU6fIU1AT6tGP0AGLOPwLgBZc38mx+p2DKmEY4');
  INSERT INTO sessions (user_id, token_hash, expires_at) VALUES ('${USER}',
    '-cGlBrN7K7p8-WvcoM8IwLOvyDGv5B9DT9yhjb4jXpI', now() + interval '1 day');
  INSERT INTO second_factors (user_id, sealed_secret, last_step, confirmed_at) VALUES ('${USER}',
    'oJTAoVto74FcZ01mbH6Is0tx9S3EMFvCqMuOvIz4/cJAMjhcgRshKuNGvv4lY7RT', 0, now());
  INSERT INTO recovery_codes (user_id, code_hash) VALUES ('${USER}', 'q5qKcyPdcmeJO67OblcH4MAs8oodT1P9iST50q58HcQ');
  INSERT INTO trusted_browsers (token_hash, user_id, expires_at) VALUES (
    'N4BeJNqbJ85Wjnu1rEyvcBdIJJKZkvBvcJUYkjnP6Zc', '${USER}', now() + interval '1 day');
  INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports) VALUES ('${USER}', 'Key',
    '${PASSKEY_ID}', '\\xa50102032620012158202be3b2528417b774b4994ee1a5d394f0651d376d2e52dc1c5eba27e3673cfa4c225820b3f725da72ae64ef2342e31d0d874d328c1e13540a9df7a1511b0f9a5c5bbc8d', 0, 'internal');`

let node: TestNode
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  node = await openTestNode(made.url)
  await node.database.pool.query(ROWS)
})
afterAll(async () => {
  await node.close()
  await drop()
})

async function passwordStep() {
  const browser = openBrowser(node.base)
  const answer = await browser.post('/api/login/password', { email: EMAIL, password: PASSWORD })
  expect([answer.status, answer.location]).toEqual([303, '/api/login/code'])
  return browser
}

test('accepts a stored session by its cookie', async () => {
  expect(await node.identity.identify(COOKIE)).toMatchObject({ id: USER, email: EMAIL })
})

test('accepts a stored password, then a code of the stored second factor', async () => {
  const browser = await passwordStep()
  await browser.post('/api/login/code', { code: codeAt(KEY, Math.floor(Date.now() / 30_000)) })
  expect(await browser.whoAmI()).toBe(EMAIL)
})

test('accepts a stored recovery code', async () => {
  const browser = await passwordStep()
  await browser.post('/api/login/code', { code: 'ABCD-EFGH-IJKL' })
  expect(await browser.whoAmI()).toBe(EMAIL)
})

test('accepts a stored trusted browser instead of the code', async () => {
  const browser = openBrowser(node.base)
  browser.jar.set('primo-trusted', 'trustedtrustedtrustedtrusted1234')
  await browser.post('/api/login/password', { email: EMAIL, password: PASSWORD })
  expect(await browser.whoAmI()).toBe(EMAIL)
})

test('accepts a stored passkey', async () => {
  const privateKey = createPrivateKey({ key: Buffer.from(PASSKEY, 'base64'), format: 'der', type: 'pkcs8' })
  const device = newAuthenticator('http://localhost', { stored: { id: PASSKEY_ID, privateKey } })
  const post = (path: string, body: object, cookie = '') =>
    fetch(node.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const asked = await post('/api/login/passkey/options', {})
  const [ceremony = ''] = asked.headers.getSetCookie()[0]!.split(';')
  const proof = device.show((await asked.json()) as Record<string, unknown>)
  expect((await post('/api/login/passkey', { proof }, ceremony)).status).toBe(200)
})
