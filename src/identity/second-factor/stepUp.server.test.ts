import { expect, test } from 'vitest'
import { newAuthenticator } from '../../../test/authenticator.ts'
import { mailedLink, mailedText } from '../../../test/mail.ts'
import { openShopForTests, openTestShop, type Person } from '../../../test/shop.ts'
import { appOf } from '../../../test/totp.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { listAudit } from '../audit/audit.contract.ts'
import { changePassword } from '../accounts/account.contract.ts'
import { addPasskey, beginPasskey } from '../passkeys/passkey.contract.ts'
import { beginSecondFactor, confirmSecondFactor } from './secondFactor.contract.ts'
import { beginStepUp, getStepUp, mailStepUpCode, verifyIdentity } from './stepUp.contract.ts'

const open = openShopForTests()
const SOME_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const ANY = { challenge: 'AAAA', user: { id: 'AAAA' } }
const ASKED = {
  status: 403,
  code: 'step_up_required',
  message: '403: {"message":"Please verify your identity to continue","code":"step_up_required"}',
}

const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`
const age = (person: Person, minutes: number) =>
  open.shop.database.pool.query(
    `UPDATE sessions SET verified_at = now() - make_interval(mins => $2) WHERE user_id = $1`,
    [person.id, minutes],
  )
async function joinLongAgo() {
  const person = await open.shop.join()
  await age(person, 180)
  return person
}
const reveal = (person: Person) => person.call(revealCodes, { id: SOME_ID, lineId: SOME_ID })
/** A 404 means that the proof of identity was accepted, because the order does not exist. */
const isLetIn = (person: Person) =>
  reveal(person).then(
    () => true,
    ({ status }: { status: number }) => status === 404,
  )

test('a sign-in counts as proof of identity for ten minutes', async () => {
  const ada = await open.shop.join()
  expect(await isLetIn(ada)).toBe(true)
  await age(ada, 9)
  expect(await isLetIn(ada)).toBe(true)
  await age(ada, 11)
  await expect(reveal(ada)).rejects.toMatchObject(ASKED)
})

test('the password proves identity in this browser only, for ten minutes', async () => {
  const ada = await joinLongAgo()
  const laptop = await open.shop.identity.createSession(ada.email)
  await age(ada, 180)
  expect(await ada.call(getStepUp, {})).toEqual({ ways: ['password'] })
  await expect(ada.call(verifyIdentity, { password: 'wrong horse' })).rejects.toMatchObject({ status: 409 })
  await expect(reveal(ada)).rejects.toMatchObject(ASKED)
  expect(await ada.call(verifyIdentity, { password: passwordOf(ada) })).toEqual({ minutes: 10 })
  expect(await isLetIn(ada)).toBe(true)
  expect(
    await isLetIn({ ...ada, call: (endpoint, input) => ada.call(endpoint, input, { headers: { cookie: laptop } }) }),
  ).toBe(false)
  await age(ada, 11)
  await expect(reveal(ada)).rejects.toMatchObject(ASKED)
})

test('with a second factor a code is needed instead of the password, and works once', async () => {
  const ada = await open.shop.join()
  const { key } = await ada.call(beginSecondFactor, { password: passwordOf(ada) })
  await ada.call(confirmSecondFactor, { code: appOf(key)(0) })
  await age(ada, 180)
  expect(await ada.call(getStepUp, {})).toEqual({ ways: ['code'] })
  await expect(ada.call(verifyIdentity, { password: passwordOf(ada) })).rejects.toMatchObject({ status: 409 })
  const code = appOf(key)(1)
  await ada.call(verifyIdentity, { code })
  expect(await isLetIn(ada)).toBe(true)
  await expect(ada.call(verifyIdentity, { code })).rejects.toMatchObject({ status: 409, code: 'wrong_code' })
})

test('an account without other ways proves its identity by a mailed code, once, in its own session', async () => {
  const { shop } = open
  const ada = await shop.join()
  await shop.database.pool.query('DELETE FROM accounts WHERE user_id = $1', [ada.id])
  const laptop = await shop.identity.createSession(ada.email)
  await age(ada, 180)
  expect(await ada.call(getStepUp, {})).toEqual({ ways: ['mail'] })
  expect(await ada.call(mailStepUpCode, {})).toEqual({ sentTo: ada.email })
  const code = /to continue: (\d{6})/.exec(await mailedText(shop, ada.email))![1]!
  const { rows } = await shop.database.pool.query('SELECT body_text, body_html FROM mails WHERE recipient = $1', [
    ada.email,
  ])
  expect(JSON.stringify(rows)).not.toContain(`continue: ${code}`)
  const wrong = code === '000000' ? '000001' : '000000'
  const REFUSED = { status: 409, code: 'wrong_code' }
  await expect(ada.call(verifyIdentity, { mailedCode: wrong })).rejects.toMatchObject(REFUSED)
  await expect(ada.call(verifyIdentity, { mailedCode: code }, { headers: { cookie: laptop } })).rejects.toMatchObject(
    REFUSED,
  )
  expect(await ada.call(verifyIdentity, { mailedCode: code })).toEqual({ minutes: 10 })
  expect(await isLetIn(ada)).toBe(true)
  await expect(ada.call(verifyIdentity, { mailedCode: code })).rejects.toMatchObject(REFUSED)
})

test('a new mailed code replaces the former one, and an expired one is refused', async () => {
  const { shop } = open
  const ada = await shop.join()
  await shop.database.pool.query('DELETE FROM accounts WHERE user_id = $1', [ada.id])
  const mailed = async () => {
    await ada.call(mailStepUpCode, {})
    return /to continue: (\d{6})/.exec(await mailedText(shop, ada.email))![1]!
  }
  const [first, second] = [await mailed(), await mailed()]
  if (first !== second)
    await expect(ada.call(verifyIdentity, { mailedCode: first })).rejects.toMatchObject({ status: 409 })
  await shop.database.pool.query(
    `UPDATE verifications SET expires_at = now() WHERE identifier LIKE 'step-up:%' AND value ->> 'userId' = $1`,
    [ada.id],
  )
  await expect(ada.call(verifyIdentity, { mailedCode: second })).rejects.toMatchObject({ status: 409 })
})

test('an account with another way gets no mailed code', async () => {
  const ada = await open.shop.join()
  await expect(ada.call(mailStepUpCode, {})).rejects.toMatchObject({ status: 409, code: 'other_way' })
  await expect(ada.call(verifyIdentity, { mailedCode: '000000' })).rejects.toMatchObject({ code: 'other_way' })
})

/** Makes calls with the cookie of the passkey challenge. */
async function withKey(person: Person, device = newAuthenticator(open.shop.url)) {
  const ask = async (path: string, body: object, ceremony = '') => {
    const response = await fetch(open.shop.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `${person.cookie}; ${ceremony}` },
      body: JSON.stringify(body),
    })
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return { status: response.status, cookie, body: (await response.json()) as Record<string, unknown> }
  }
  const pathOf = ({ line }: { line: string }) => line.split(' ')[1]!
  return {
    async add() {
      const { status, body, cookie } = await ask(pathOf(beginPasskey), {})
      if (status !== 200) return status
      return (await ask(pathOf(addPasskey), { name: 'Key', key: device.make(body) }, cookie)).status
    },
    async prove(show: typeof device.show = device.show) {
      const { body, cookie } = await ask(pathOf(beginStepUp), {})
      return (await ask(pathOf(verifyIdentity), { passkey: show(body) }, cookie)).status
    },
  }
}

test("an own passkey proves identity, another account's does not", async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const device = newAuthenticator(open.shop.url)
  const [own, others] = [await withKey(ada), await withKey(bob, device)]
  expect([await own.add(), await others.add()]).toEqual([201, 201])
  await age(ada, 180)
  expect(await ada.call(getStepUp, {})).toEqual({ ways: ['passkey', 'password'] })
  expect(await own.prove(device.show)).toBe(409)
  await expect(reveal(ada)).rejects.toMatchObject(ASKED)
  expect(await own.prove()).toBe(200)
  expect(await isLetIn(ada)).toBe(true)
})

test('a mailed link proves the identity of a member, but not of staff', async () => {
  const { shop } = open
  const byLink = async ({ email }: Person) => {
    const body = new URLSearchParams({ email })
    await fetch(`${shop.url}/api/login/link`, { method: 'POST', redirect: 'manual', body })
    const link = await mailedLink(shop, email)
    const opened = await fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams() })
    return { headers: { cookie: opened.headers.getSetCookie()[0]!.split(';')[0]! } }
  }
  const ada = await shop.join()
  expect(await ada.call(beginPasskey, {}, await byLink(ada))).toEqual(expect.any(Object))
  const staff = await shop.join({ isAdmin: true })
  const session = await byLink(staff)
  await expect(staff.call(listAudit, {}, session)).rejects.toMatchObject({ code: 'step_up_required' })
  await staff.call(verifyIdentity, { password: passwordOf(staff) }, session)
  expect(await staff.call(listAudit, {}, session)).toEqual(expect.any(Array))
})

test('staff who have a passkey cannot prove their identity by password', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const key = await withKey(staff)
  expect(await key.add()).toBe(201)
  await age(staff, 500)
  expect(await staff.call(getStepUp, {})).toEqual({ ways: ['passkey'] })
  await expect(staff.call(verifyIdentity, { password: passwordOf(staff) })).rejects.toMatchObject({ code: 'other_way' })
  const form = new URLSearchParams({ email: staff.email, password: passwordOf(staff) })
  const signedIn = await fetch(`${open.shop.url}/api/login/password`, {
    method: 'POST',
    redirect: 'manual',
    body: form,
  })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  await expect(staff.call(listAudit, {}, { headers: { cookie } })).rejects.toMatchObject({ code: 'step_up_required' })
  expect(await key.prove()).toBe(200)
  expect(await staff.call(listAudit, {})).toEqual(expect.any(Array))
})

test('a stolen cookie alone cannot add a passkey', async () => {
  const ada = await joinLongAgo()
  expect(await (await withKey(ada)).add()).toBe(403)
  await expect(
    ada.call(addPasskey, { name: 'Key', key: newAuthenticator(open.shop.url).make(ANY) }),
  ).rejects.toMatchObject(ASKED)
  await expect(
    ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: 'a quiet river bend' }),
  ).rejects.toMatchObject(ASKED)
  await expect(ada.call(beginSecondFactor, { password: passwordOf(ada) })).rejects.toMatchObject(ASKED)
})

test.each([[{}], [{ password: 'x', code: '123456' }]])('rejects %j as a proof', async (given) => {
  const ada = await joinLongAgo()
  await expect(ada.call(verifyIdentity, given)).rejects.toMatchObject({ status: 400 })
})

test('guessing codes with a stolen cookie does not lock out the owner', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
  const ada = await shop.join()
  const { key } = await ada.call(beginSecondFactor, { password: passwordOf(ada) })
  await ada.call(confirmSecondFactor, { code: appOf(key)(0) })
  const laptop = await shop.identity.createSession(ada.email)
  const show = (code: string, from: string, cookie = ada.cookie) =>
    ada.call(verifyIdentity, { code }, { headers: { cookie, 'x-forwarded-for': from } }).then(
      () => 200,
      ({ status }: { status: number }) => status,
    )
  const guesses = []
  for (let i = 0; i < 61; i++) guesses.push(await show('000000', `93.184.${i}.9`))
  expect([guesses.filter((status) => status === 409).length, guesses.at(-1)]).toEqual([60, 429])

  const home = { 'x-forwarded-for': '81.2.3.4' }
  const post = (path: string, form: Record<string, string>, cookie = '') =>
    fetch(shop.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...home, cookie },
      body: new URLSearchParams(form),
    })
  const asked = await post('/api/login/password', { email: ada.email, password: passwordOf(ada) })
  const [challenge = ''] = asked.headers.getSetCookie()[0]!.split(';')
  expect((await post('/api/login/code', { code: appOf(key)(1) }, challenge)).headers.get('location')).toBe('/')
  await shop.database.pool.query('UPDATE second_factors SET last_step = 0')
  expect(await show(appOf(key)(1), '81.2.3.4', laptop)).toBe(200)
  await shop.close()
})

test('limits guesses to five per network without blocking the owner elsewhere', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
  const ada = await shop.join()
  const guess = (password: string, from: string) =>
    ada.call(verifyIdentity, { password }, { headers: { 'x-forwarded-for': from } }).then(
      () => 200,
      ({ status }: { status: number }) => status,
    )
  const guesses = []
  for (let i = 0; i < 6; i++) guesses.push(await guess(`guess ${i}`, '203.0.113.9'))
  expect(guesses).toEqual([409, 409, 409, 409, 409, 429])
  expect(await guess(passwordOf(ada), '198.51.100.7')).toBe(200)
  await shop.close()
})

test('limits password guesses with a stolen cookie to sixty a day without blocking the owner', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
  const ada = await shop.join()
  const laptop = await shop.identity.createSession(ada.email)
  const show = (password: string, from: string, cookie = ada.cookie) =>
    ada.call(verifyIdentity, { password }, { headers: { cookie, 'x-forwarded-for': from } }).then(
      () => 200,
      ({ status }: { status: number }) => status,
    )
  const guesses = []
  for (let i = 0; i < 61; i++) guesses.push(await show(`guess ${i}`, `93.184.${i}.9`))
  expect([guesses.filter((status) => status === 409).length, guesses.at(-1)]).toEqual([60, 429])
  expect(await show(passwordOf(ada), '81.2.3.4', laptop)).toBe(200)
  const form = new URLSearchParams({ email: ada.email, password: passwordOf(ada) })
  const headers = { 'x-forwarded-for': '81.2.3.4' }
  const signIn = { method: 'POST', redirect: 'manual', headers, body: form } as const
  expect((await fetch(`${shop.url}/api/login/password`, signIn)).headers.get('location')).toBe('/')
  await shop.close()
})
