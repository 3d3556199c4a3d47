import { expect, test, vi } from 'vitest'
import { mailedLink } from '../../../test/mail.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { until } from '../../../test/sandbox.ts'
import { appOf } from '../../../test/totp.ts'
import { changePassword } from '../accounts/account.contract.ts'
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/secondFactor.contract.ts'

// Requests that begin with an old password and end after the password changed.

const gate = vi.hoisted(() => ({ isShut: false, reached: () => {}, opened: Promise.resolve() }))
vi.mock(import('../password/passwordHash.server.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    isPassword: async (password, phc) => {
      const isRight = await real.isPassword(password, phc)
      if (gate.isShut) {
        gate.isShut = false
        gate.reached()
        await gate.opened
      }
      return isRight
    },
  }
})

/** Pauses the next successful password check until `open`. */
function shutGate() {
  let open = () => {}
  const reached = new Promise<void>((resolve) => (gate.reached = resolve))
  gate.opened = new Promise<void>((resolve) => (open = resolve))
  gate.isShut = true
  return { reached, open }
}

const shop = openShopForTests()
const NEW = 'quiet-lantern-408'
const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`
const post = async (path: string | URL, form: Record<string, string>, cookie = '') => {
  const body = new URLSearchParams(form)
  const response = await fetch(new URL(path, shop.shop.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body,
  })
  return { status: response.status, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}
const signIn = ({ email }: Person, password: string) => post('/api/login/password', { email, password })
const count = async (text: string, { id }: Person) =>
  (await shop.shop.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${text}`, [id])).rows[0]!.n
const sessionsOf = (person: Person) => count('sessions WHERE user_id = $1', person)

async function reset({ email }: Person) {
  await post('/api/login/forgot', { email })
  expect((await post(await mailedLink(shop.shop, email), { password: NEW })).status).toBe(303)
}
async function turnOn(person: Person) {
  const { key } = await person.call(beginSecondFactor, { password: passwordOf(person) })
  await person.call(confirmSecondFactor, { code: appOf(key)(0) })
  return appOf(key)
}

test('a sign-in with the old password creates no session if a reset overtakes it', async () => {
  const ada = await shop.shop.join()
  const { reached, open } = shutGate()
  const thief = signIn(ada, passwordOf(ada))
  await reached
  await reset(ada)
  open()
  expect(await thief).toEqual({ status: 401, cookie: '' })
  expect(await sessionsOf(ada)).toBe(0)
  expect((await signIn(ada, NEW)).status).toBe(303)
})

test('a sign-in with the old password fails before the code if a password change overtakes it', async () => {
  const ada = await shop.shop.join()
  await turnOn(ada)
  const { reached, open } = shutGate()
  const thief = signIn(ada, passwordOf(ada))
  await reached
  await ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: NEW })
  open()
  expect(await thief).toEqual({ status: 401, cookie: '' })
  expect(await sessionsOf(ada)).toBe(1)
  expect(await count(`verifications WHERE value ->> 'userId' = $1`, ada)).toBe(0)
})

test('a password change changes nothing and creates no session if a reset overtakes it', async () => {
  const ada = await shop.shop.join()
  const { reached, open } = shutGate()
  const thief = ada
    .call(changePassword, { currentPassword: passwordOf(ada), newPassword: 'the thief’s own words' })
    .catch(({ status }: { status: number }) => status)
  await reached
  await reset(ada)
  open()
  expect(await thief).toBe(401)
  expect(await sessionsOf(ada)).toBe(0)
  expect((await signIn(ada, NEW)).status).toBe(303)
})

test('a mailed link signs in nobody if a reset overtakes it', async () => {
  const ada = await shop.shop.join()
  await post('/api/login/link', { email: ada.email })
  const link = await mailedLink(shop.shop, ada.email)
  await post('/api/login/forgot', { email: ada.email })
  const resetLink = await mailedLink(shop.shop, ada.email)
  const { pool } = shop.shop.database
  const waiting = async () =>
    (await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .rowCount!
  const keeper = await pool.connect()
  await keeper.query('BEGIN')
  await keeper.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [ada.id])
  const owner = post(resetLink, { password: NEW })
  await until(async () => (await waiting()) === 1)
  const thief = post(link, {})
  await until(async () => (await waiting()) === 2)
  await keeper.query('COMMIT')
  keeper.release()
  expect([(await owner).status, await thief]).toEqual([303, { status: 410, cookie: '' }])
  expect(await sessionsOf(ada)).toBe(0)
})

test('a reset ends the session of a concurrent code step', async () => {
  const ada = await shop.shop.join()
  const app = await turnOn(ada)
  const { cookie } = await signIn(ada, passwordOf(ada))
  const { pool } = shop.shop.database
  const waiting = async (query: string) =>
    (
      await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE $1`,
        [query],
      )
    ).rowCount!
  // the session references the account, so its insert waits for this lock
  const keeper = await pool.connect()
  await keeper.query('BEGIN')
  await keeper.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [ada.id])
  const thief = post('/api/login/code', { code: app(1), remember: '1' }, cookie)
  await until(async () => (await waiting('insert into "sessions"%')) === 1)
  await post('/api/login/forgot', { email: ada.email })
  const owner = post(await mailedLink(shop.shop, ada.email), { password: NEW })
  await until(async () => (await waiting('%')) === 2)
  await keeper.query('COMMIT')
  keeper.release()
  expect([(await owner).status, (await thief).status]).toEqual([303, 303])
  expect(await sessionsOf(ada)).toBe(0)
  expect(await count('trusted_browsers WHERE user_id = $1', ada)).toBe(0)
})
