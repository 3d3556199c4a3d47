import { expect, test } from 'vitest'
import { mailedLink } from '../../../test/mail.ts'
import { openShopForTests, openTestShop, type Person } from '../../../test/shop.ts'
import { changePassword, choosePassword, getAccount, requestVerification, setMails } from './account.contract.ts'
import { changeEmail } from '../email/emailChange.contract.ts'
import { required } from '../../kit/values/required.ts'
import { getCurrentUser } from '../identity.contract.ts'

const open = openShopForTests()

const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`
const next = 'a quiet river bend'

const signIn = (email: string, password: string) =>
  fetch(`${open.shop.url}/api/login/password`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  }).then(({ status }) => status)

/** Uses fetch, to read the cookie of the response. */
async function change(person: Person, input: object) {
  const response = await fetch(`${open.shop.url}/api/account/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: person.cookie },
    body: JSON.stringify(input),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, cookie }
}

const isSignedIn = async (cookie: string) =>
  (await fetch(`${open.shop.url}/api/auth/user`, { headers: { cookie } })).status === 200

/** Polls, because NOTIFY evicts an ended session from the cache with a delay. */
async function expectSignedIn(cookies: string[], expected: boolean[]) {
  await expect.poll(() => Promise.all(cookies.map(isSignedIn))).toEqual(expected)
}

test('a password change ends other sessions and renews this one without renewing its proof of identity', async () => {
  const ada = await open.shop.join()
  const laptop = await open.shop.identity.createSession(ada.email)
  const { pool } = open.shop.database
  await pool.query(`UPDATE sessions SET verified_at = now() - interval '9 minutes' WHERE user_id = $1`, [ada.id])
  const changed = await change(ada, { currentPassword: passwordOf(ada), newPassword: next })
  const { rows } = await pool.query(
    `SELECT verified_at < now() - interval '8 minutes' AS old FROM sessions WHERE user_id = $1`,
    [ada.id],
  )
  expect(rows).toEqual([{ old: true }])
  expect(changed).toMatchObject({ status: 200, body: { othersEnded: 1 } })
  await expectSignedIn([changed.cookie, ada.cookie, laptop], [true, false, false])
  expect([await signIn(ada.email, passwordOf(ada)), await signIn(ada.email, next)]).toEqual([401, 303])
})

test('a password change keeps other sessions on request but always renews this one', async () => {
  const ada = await open.shop.join()
  const laptop = await open.shop.identity.createSession(ada.email)
  const changed = await change(ada, { currentPassword: passwordOf(ada), newPassword: next, endOthers: false })
  expect(changed.body).toEqual({ othersEnded: 0 })
  await expectSignedIn([changed.cookie, ada.cookie, laptop], [true, false, true])
})

test('mails the owner after a password change', async () => {
  const ada = await open.shop.join()
  await change(ada, { currentPassword: passwordOf(ada), newPassword: next })
  const mails = await open.shop.database.db
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', ada.email)
    .execute()
  expect(mails).toEqual([{ subject: 'Your password was changed' }])
})

test.each([
  [
    'the wrong current one',
    { currentPassword: 'wrong horse' },
    'currentPassword',
    'That’s not your current password.',
    409,
  ],
  ['a short one', { newPassword: 'short' }, 'newPassword', 'Use at least 10 characters.', 400],
  ['a common one', { newPassword: 'password1234' }, 'newPassword', 'too easy to guess', 400],
])('rejects a password change with %s', async (_, wrong, field, message, refusal) => {
  const ada = await open.shop.join()
  const laptop = await open.shop.identity.createSession(ada.email)
  const { status, body } = await change(ada, { currentPassword: passwordOf(ada), newPassword: next, ...wrong })
  expect({ status, ...body }).toMatchObject({ status: refusal, field, message: expect.stringContaining(message) })
  expect([await isSignedIn(ada.cookie), await isSignedIn(laptop)]).toEqual([true, true])
  expect(await signIn(ada.email, passwordOf(ada))).toBe(303)
})

test('rejects the current password as the new one', async () => {
  const ada = await open.shop.join()
  const same = { currentPassword: passwordOf(ada), newPassword: passwordOf(ada) }
  await expect(ada.call(changePassword, same)).rejects.toMatchObject({ status: 400 })
})

test('a password change revokes reset links', async () => {
  const ada = await open.shop.join()
  await fetch(`${open.shop.url}/api/login/forgot`, { method: 'POST', body: new URLSearchParams({ email: ada.email }) })
  const link = await mailedLink(open.shop, ada.email)
  expect((await fetch(link)).status).toBe(200)
  await change(ada, { currentPassword: passwordOf(ada), newPassword: next })
  expect((await fetch(link)).status).toBe(410)
})

test('an account without a password chooses one, once, and only the other sessions end', async () => {
  const ada = await open.shop.join()
  const { pool } = open.shop.database
  await expect(ada.call(choosePassword, { newPassword: next })).rejects.toMatchObject({ code: 'has_password' })
  await pool.query('DELETE FROM accounts WHERE user_id = $1', [ada.id])
  expect(await ada.call(getAccount, {})).toMatchObject({ hasPassword: false })
  const weak = ada.call(choosePassword, { newPassword: 'password1234' })
  await expect(weak).rejects.toMatchObject({ status: 400, details: { field: 'newPassword' } })
  const laptop = await open.shop.identity.createSession(ada.email)
  const choose = (newPassword: string) =>
    fetch(`${open.shop.url}/api/account/password`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: ada.cookie },
      body: JSON.stringify({ newPassword }),
    })
  const chosen = await Promise.all([next, `${next} again`].map(choose))
  expect(chosen.map(({ status }) => status === 200).toSorted()).toEqual([false, true])
  const answer = required(
    chosen.find(({ status }) => status === 200),
    'the answer to the first choice',
  )
  expect(await answer.json()).toEqual({ othersEnded: 1 })
  expect(await isSignedIn(laptop)).toBe(false)
  const cookie = required(answer.headers.getSetCookie()[0]?.split(';')[0], 'the new session')
  expect(await ada.call(getAccount, {}, { headers: { cookie } })).toMatchObject({ hasPassword: true })
  expect([await signIn(ada.email, next), await signIn(ada.email, `${next} again`)].toSorted()).toEqual([303, 401])
  expect(await isSignedIn(cookie)).toBe(true)
  const { rows } = await pool.query('SELECT subject FROM mails WHERE recipient = $1', [ada.email])
  expect(rows).toContainEqual({ subject: 'Your account has a password' })
})

test('limits guesses of the current password in a signed-in browser', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1' })
  const ada = await shop.join()
  const guess = (number: number) =>
    ada.call(changePassword, { currentPassword: `guess ${number}`, newPassword: next }).catch((error: unknown) => error)
  const answers = []
  for (let i = 0; i < 7; i++) answers.push(await guess(i))
  expect(answers.map((answer) => (answer as { status: number }).status)).toEqual([409, 409, 409, 409, 409, 409, 429])
  await shop.close()
})

test('a new account has a password, a sign-in of today and no newsletter', async () => {
  const ada = await open.shop.join()
  const { lastLoginAt, ...rest } = await ada.call(getAccount, {})
  expect(Math.abs(Date.now() - Date.parse(lastLoginAt))).toBeLessThan(60_000)
  expect(rest).toEqual({
    hasPassword: true,
    wantsNews: false,
    wantsVersions: true,
    wantsMessages: true,
    wantsFollows: true,
    wantsReviewRequests: true,
    wantsReviewMails: false,
    isMailRefused: false,
    keptAt: null,
    pausedUntil: null,
    suspension: null,
  })
})

test('reports a pause of the account until it ends or is lifted, but not of another account', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const { pool } = open.shop.database
  const pause = (until: string) =>
    pool.query(
      `INSERT INTO risk_blocks (kind, subject, reason, created_at, expires_at)
       VALUES ('account', $1, 'test', now() - interval '1 hour', now() + $2)`,
      [ada.id, until],
    )
  await pause('-1 minute')
  expect(await ada.call(getAccount, {})).toMatchObject({ pausedUntil: null })
  await pause('1 hour')
  expect(Date.parse((await ada.call(getAccount, {})).pausedUntil!)).toBeGreaterThan(Date.now())
  expect(await bob.call(getAccount, {})).toMatchObject({ pausedUntil: null })
  await pool.query('UPDATE risk_blocks SET lifted_at = now() WHERE subject = $1', [ada.id])
  expect(await ada.call(getAccount, {})).toMatchObject({ pausedUntil: null })
})

test('reports the latest sign-in of all browsers', async () => {
  const ada = await open.shop.join()
  const { pool } = open.shop.database
  await pool.query(`UPDATE sessions SET created_at = now() - interval '3 days' WHERE user_id = $1`, [ada.id])
  const threeDays = Date.now() - 3 * 24 * 3600_000
  expect(Date.parse((await ada.call(getAccount, {})).lastLoginAt)).toBeCloseTo(threeDays, -5)
  await open.shop.identity.createSession(ada.email)
  expect(Date.parse((await ada.call(getAccount, {})).lastLoginAt)).toBeCloseTo(Date.now(), -5)
})

test('subscribes only the account that requests the newsletter', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  expect(await ada.call(setMails, { wantsNews: true })).toMatchObject({ wantsNews: true })
  expect(await bob.call(getAccount, {})).toMatchObject({ wantsNews: false })
  expect(await ada.call(setMails, { wantsNews: false })).toMatchObject({ wantsNews: false })
})

test('a mailed link verifies the current address once', async () => {
  const ada = await open.shop.join()
  const { db } = open.shop.database
  await expect(ada.call(requestVerification, {})).rejects.toMatchObject({ status: 409 })
  await db.updateTable('users').set({ emailVerified: false }).where('id', '=', ada.id).execute()
  expect(await ada.call(requestVerification, {})).toEqual({ sentTo: ada.email })
  const link = await mailedLink(open.shop, ada.email)

  expect((await fetch(link)).status).toBe(200)
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ emailVerified: false })
  const press = () => fetch(link, { method: 'POST', body: new URLSearchParams() })
  await db
    .updateTable('users')
    .set({ email: `new-${ada.email}` })
    .where('id', '=', ada.id)
    .execute()
  expect((await press()).status).toBe(410)
  await db.updateTable('users').set({ email: ada.email }).where('id', '=', ada.id).execute()
  expect((await press()).status).toBe(410)

  await ada.call(requestVerification, {})
  const second = await mailedLink(open.shop, ada.email)
  expect((await fetch(second, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ emailVerified: true })
})

test('shows an address with an international domain in Unicode, in the account, mails and pages', async () => {
  const ada = await open.shop.join()
  const { db } = open.shop.database
  const email = 'ada@xn--bcher-kva.example'
  await db.updateTable('users').set({ email }).where('id', '=', ada.id).execute()
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ email: 'ada@bücher.example' })
  expect((await ada.call(changeEmail, { email: 'ada@mail.bücher.example' })).sentTo).toBe('ada@mail.bücher.example')
  const [asked] = await db.selectFrom('mails').selectAll().where('recipient', '=', email).execute()
  expect(asked!.bodyText).toContain('ada@mail.bücher.example')
  const link = await mailedLink(open.shop, 'ada@mail.xn--bcher-kva.example')
  const page = await (await fetch(link, { headers: { cookie: ada.cookie } })).text()
  expect(page).toContain('Your address is <b>ada@bücher.example</b>. Change it to <b>ada@mail.bücher.example</b>?')
})
