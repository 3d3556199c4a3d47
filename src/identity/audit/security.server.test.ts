import { expect, onTestFinished, test } from 'vitest'
import { appOf } from '../../../test/totp.ts'
import { openTestShop, type Person, type TestShop } from '../../../test/shop.ts'
import { createSharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { changePassword } from '../accounts/account.contract.ts'
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/secondFactor.contract.ts'
import { listAudit } from './audit.contract.ts'

// Audit entries and mails to the owner about failed sign-ins, new devices, changed factors and refused calls.

async function openShop(env: Record<string, string> = {}) {
  const shop = await openTestShop(env)
  onTestFinished(() => shop.close())
  const admin = await shop.join({ isAdmin: true })
  const events = async () =>
    (await admin.call(listAudit, { kind: 'security' })).map(({ act, actor, subject, details }) => ({
      act,
      actor,
      subject: subject?.name ?? null,
      details,
    }))
  const mailsTo = async ({ email }: Person) =>
    (await shop.database.pool.query<{ subject: string }>('SELECT subject FROM mails WHERE recipient = $1', [email]))
      .rows
  return { shop, events, mailsTo }
}

const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`
const signIn = async (shop: TestShop, email: string, password: string, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams({ email, password })
  const response = await fetch(`${shop.url}/api/login/password`, { method: 'POST', redirect: 'manual', headers, body })
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { status: response.status, cookie }
}

test('records a wrong password with the account if there is one, without changing the response', async () => {
  const { shop, events } = await openShop()
  const ada = await shop.join()
  const answers = [await signIn(shop, ada.email, 'wrong'), await signIn(shop, 'nobody@test.example', 'wrong')]
  expect(answers[0]).toEqual(answers[1])
  expect(await events()).toEqual([
    { act: 'security.sign_in_failed', actor: null, subject: null, details: { way: 'password' } },
    { act: 'security.sign_in_failed', actor: null, subject: ada.email, details: { way: 'password' } },
  ])
})

test('failed sign-ins from many networks fill neither the audit log nor the mailbox', async () => {
  const { shop, events, mailsTo } = await openShop({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
  const ada = await shop.join()
  const guess = (n: number) => signIn(shop, ada.email, 'wrong', { 'x-forwarded-for': `93.184.${n}.9` })
  for (let n = 0; n < 5; n++) await Promise.all([0, 1, 2, 3, 4].map((i) => guess(5 * n + i)))
  expect(await events()).toHaveLength(20)
  expect(await mailsTo(ada)).toEqual([{ subject: 'Someone tried to sign in to your account' }])
})

test('mails the owner about a new device, but not about the first or a known one', async () => {
  const { shop, events, mailsTo } = await openShop()
  const ada = await shop.join()
  const home = await signIn(shop, ada.email, passwordOf(ada))
  await signIn(shop, ada.email, passwordOf(ada), { cookie: home.cookie })
  expect(await mailsTo(ada)).toEqual([])
  await signIn(shop, ada.email, passwordOf(ada), { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' })
  expect(await mailsTo(ada)).toEqual([{ subject: 'New sign-in to your account' }])
  expect(await events()).toEqual([
    { act: 'security.new_device', actor: ada.email, subject: ada.email, details: { device: 'Firefox on Linux' } },
  ])
})

test('mails the first known sign-in to an older account, and at most ten such mails a day', async () => {
  const { shop, events, mailsTo } = await openShop()
  const [ada, eve] = [await shop.join(), await shop.join()]
  await shop.database.pool.query(`UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, [ada.id])
  await signIn(shop, ada.email, passwordOf(ada))
  expect(await mailsTo(ada)).toHaveLength(1)
  await shop.database.pool.query(
    `INSERT INTO known_devices (user_id, token_hash) SELECT $1, lpad(n::text, 43, '0') FROM generate_series(1, 11) n`,
    [eve.id],
  )
  await signIn(shop, eve.email, passwordOf(eve))
  expect(await mailsTo(eve)).toEqual([])
  expect((await events()).map(({ subject }) => subject)).toEqual([eve.email, ada.email])
})

test('a flood of refused calls does not use up the limit of other security events', async () => {
  const { shop, events } = await openShop({ RATE_LIMIT_SCALE: '1' })
  const ada = await shop.join()
  const limiter = createSharedLimiter(shop.database.pool)
  const all = { per: 'account', count: 600, seconds: 3600 } as const
  await Promise.all(Array.from({ length: 600 }, () => limiter.take('security events security.access_refused', all)))
  await expect(ada.call(listAudit, {})).rejects.toMatchObject({ status: 403 })
  await signIn(shop, ada.email, 'wrong')
  expect((await events()).map(({ act }) => act)).toEqual(['security.sign_in_failed'])
})

test('records a changed factor and a refused staff page', async () => {
  const { shop, events } = await openShop()
  const ada = await shop.join()
  const { key } = await ada.call(beginSecondFactor, { password: passwordOf(ada) })
  await ada.call(confirmSecondFactor, { code: appOf(key)(0) })
  await expect(ada.call(listAudit, {})).rejects.toMatchObject({ status: 403 })
  await shop.database.pool.query(`UPDATE sessions SET verified_at = now() - interval '9 minutes'`)
  await ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: 'quiet-lantern-408' })
  const proofs = `SELECT FROM sessions WHERE user_id = $1 AND verified_at < now() - interval '8 minutes'`
  expect((await shop.database.pool.query(proofs, [ada.id])).rowCount).toBe(1)
  const byAda = { actor: ada.email, subject: ada.email, details: {} }
  expect(await events()).toEqual([
    { ...byAda, act: 'security.password' },
    { ...byAda, act: 'security.access_refused', details: { route: 'GET /api/admin/audit' } },
    { ...byAda, act: 'security.factor_on' },
  ])
})
