import { expect, test, vi } from 'vitest'
import { openShopForTests, openTestShop } from '../../../test/shop.ts'
import { getCurrentUser } from '../identity.contract.ts'
import { endOtherSession, endOtherSessions, listSessions } from './session.contract.ts'

const open = openShopForTests()
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith('primo='))!
    .split(';')[0]!

async function signIn(url: string, email: string, headers: Record<string, string> = {}) {
  const password = `correct horse ${/\d+/.exec(email)![0]}`
  const response = await fetch(`${url}/api/login/password`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    headers: { 'user-agent': WINDOWS, ...headers },
    redirect: 'manual',
  })
  return cookieOf(response)
}

const isSignedIn = async (cookie: string, url = open.shop.url) =>
  (await fetch(`${url}/api/auth/user`, { headers: { cookie } })).status === 200

test('lists the sessions of the account, this one first, without their tokens', async () => {
  const ada = await open.shop.join()
  const laptop = await signIn(open.shop.url, ada.email)
  const list = await ada.call(listSessions, {})
  expect(list.map(({ device, isThis }) => [device, isThis])).toEqual([
    ['Command line', true],
    ['Chrome on Windows', false],
  ])
  for (const { id, lastSeenAt } of list) {
    expect(await open.shop.identity.identify(`primo=${id}`)).toBeNull()
    expect(Math.abs(Date.now() - Date.parse(lastSeenAt))).toBeLessThan(60_000)
  }
  // the reply contains no token and no hash
  const text = JSON.stringify(list)
  const { rows } = await open.shop.database.pool.query<{ token_hash: string }>('SELECT token_hash FROM sessions')
  for (const { token_hash } of rows) expect(text).not.toContain(token_hash)
  for (const cookie of [ada.cookie, laptop]) expect(text).not.toContain(cookie.split(/[=.]/)[1])
})

test('ends one or all other sessions on every node within a second and keeps this one', async () => {
  const ada = await open.shop.join()
  const others = [await signIn(open.shop.url, ada.email), await signIn(open.shop.url, ada.email)]
  for (const cookie of others) expect(await isSignedIn(cookie)).toBe(true)
  const [, newest] = await ada.call(listSessions, {})
  const left = await ada.call(endOtherSession, { id: newest!.id })
  expect(left).toHaveLength(2)
  await vi.waitFor(async () => expect(await isSignedIn(others[1]!)).toBe(false), 1000)
  expect(await isSignedIn(others[0]!)).toBe(true)
  expect(await ada.call(endOtherSessions, {})).toHaveLength(1)
  await vi.waitFor(async () => expect(await isSignedIn(others[0]!)).toBe(false), 1000)
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ id: ada.id })
})

test('ends other sessions only with a fresh proof of identity', async () => {
  const ada = await open.shop.join()
  const laptop = await signIn(open.shop.url, ada.email)
  await open.shop.database.pool.query(`UPDATE sessions SET verified_at = 'epoch' WHERE user_id = $1`, [ada.id])
  const [, other] = await ada.call(listSessions, {})
  const refused = { status: 403, code: 'step_up_required' }
  await expect(ada.call(endOtherSessions, {})).rejects.toMatchObject(refused)
  await expect(ada.call(endOtherSession, { id: other!.id })).rejects.toMatchObject(refused)
  expect(await isSignedIn(laptop)).toBe(true)
})

test("rejects ending its own session, another account's session or an unknown session", async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const [own] = await ada.call(listSessions, {})
  const [others] = await bob.call(listSessions, {})
  for (const id of [own!.id, others!.id, '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'])
    await expect(ada.call(endOtherSession, { id })).rejects.toMatchObject({ status: 404 })
  expect(await isSignedIn(bob.cookie)).toBe(true)
})

test('omits expired sessions from the list', async () => {
  const ada = await open.shop.join()
  await signIn(open.shop.url, ada.email)
  await open.shop.database.pool.query(
    `UPDATE sessions SET expires_at = now() WHERE user_id = $1 AND user_agent LIKE 'Mozilla%'`,
    [ada.id],
  )
  expect(await ada.call(listSessions, {})).toHaveLength(1)
})

test('lists the country of a sign-in when it is known', async () => {
  const shop = await openTestShop({ GEO_HEADER: 'cf-ipcountry', TRUST_PROXY: '1' })
  const ada = await shop.join()
  await signIn(shop.url, ada.email, { 'cf-ipcountry': 'PT', 'x-forwarded-for': '203.0.113.9' })
  await signIn(shop.url, ada.email, { 'cf-ipcountry': 'XX', 'x-forwarded-for': '203.0.113.9' })
  await vi.waitFor(async () => {
    const list = await ada.call(listSessions, {})
    expect(list.map(({ country }) => country).sort()).toEqual(['PT', null, null])
  }, 20_000)
  await shop.close()
})
