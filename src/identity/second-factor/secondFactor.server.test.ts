// Over 300 lines, because all tests share one running shop.
import { expect, test } from 'vitest'
import { mailedLink } from '../../../test/mail.ts'
import { openShopForTests, openTestShop, type Person, type TestShop } from '../../../test/shop.ts'
import { appOf, fromBase32 } from '../../../test/totp.ts'
import { changePassword } from '../accounts/account.contract.ts'
import { getCurrentUser } from '../identity.contract.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from './secondFactor.contract.ts'
import { endOtherSessions } from '../sessions/session.contract.ts'
import { verifyIdentity } from './stepUp.contract.ts'

const open = openShopForTests()

const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`

async function turnOn(person: Person) {
  const { key } = await person.call(beginSecondFactor, { password: passwordOf(person) })
  const app = appOf(key)
  const { recoveryCodes } = await person.call(confirmSecondFactor, { code: app(0) })
  return { app, recoveryCodes }
}

/** A browser that stores cookies and does not follow redirects. */
function newBrowser(shop: TestShop = open.shop) {
  const jar = new Map<string, string>()
  async function post(path: string, form: Record<string, string>) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(shop.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { cookie },
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s)
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return { status: response.status, to: response.headers.get('location'), text: await response.text() }
  }
  return {
    jar,
    givePassword: ({ email }: Person, password: string) =>
      post('/api/login/password?returnTo=/cart', { email, password }),
    giveCode: (code: string, more = {}) => post('/api/login/code?returnTo=/cart', { code, ...more }),
    isSignedIn: () => jar.has('primo'),
  }
}

/** Lets a test use the next code without waiting 30 s. */
const forgetSteps = () => open.shop.database.pool.query('UPDATE second_factors SET last_step = 0')

test('requires the code of the app after the password', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ twoFactorEnabled: true })
  const browser = newBrowser()
  expect(await browser.givePassword(ada, passwordOf(ada))).toMatchObject({
    status: 303,
    to: '/api/login/code?returnTo=%2Fcart',
  })
  expect(browser.isSignedIn()).toBe(false)
  expect(await browser.giveCode(app(1))).toMatchObject({ status: 303, to: '/cart' })
  expect(browser.isSignedIn()).toBe(true)
})

test('no session exists while a sign-in waits for the code', async () => {
  const ada = await open.shop.join()
  await turnOn(ada)
  const count = async () => {
    const text = 'SELECT count(*)::int AS count FROM sessions WHERE user_id = $1'
    return (await open.shop.database.pool.query<{ count: number }>(text, [ada.id])).rows[0]!.count
  }
  const before = await count()
  await newBrowser().givePassword(ada, passwordOf(ada))
  expect(await count()).toBe(before)
})

test('returns the same response to a wrong password with and without a second factor', async () => {
  const ada = await open.shop.join()
  await turnOn(ada)
  expect(await newBrowser().givePassword(ada, 'wrong horse')).toMatchObject({ status: 401 })
})

test('accepts each code once, and no older code later', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const [first, second] = [newBrowser(), newBrowser()]
  const code = app(1)
  for (const browser of [first, second]) await browser.givePassword(ada, passwordOf(ada))
  expect((await first.giveCode(code)).status).toBe(303)
  expect((await second.giveCode(code)).status).toBe(401)
  expect((await second.giveCode(app(0))).status).toBe(401)
  expect(second.isSignedIn()).toBe(false)
})

test('accepts one of eight concurrent uses of a code', async () => {
  const ada = await open.shop.join()
  const { app, recoveryCodes } = await turnOn(ada)
  const browsers = Array.from({ length: 8 }, () => newBrowser())
  for (const browser of browsers) await browser.givePassword(ada, passwordOf(ada))
  const send = (code: string, from = browsers) => Promise.all(from.map((browser) => browser.giveCode(code)))
  const isIn = ({ status }: { status: number }) => status === 303
  expect((await send(app(1))).filter(isIn)).toHaveLength(1)
  const others = browsers.filter((browser) => !browser.isSignedIn())
  expect((await send(recoveryCodes[0]!, others)).filter(isIn)).toHaveLength(1)
})

test('each of ten recovery codes works once, and new ones replace the old', async () => {
  const ada = await open.shop.join()
  const { recoveryCodes } = await turnOn(ada)
  expect(new Set(recoveryCodes).size).toBe(10)
  const signIn = async (code: string) => {
    const browser = newBrowser()
    await browser.givePassword(ada, passwordOf(ada))
    return (await browser.giveCode(code)).status
  }
  expect(await signIn(recoveryCodes[0]!.toLowerCase())).toBe(303)
  expect(await signIn(recoveryCodes[0]!)).toBe(401)
  expect(await ada.call(getSecondFactor, {})).toEqual({ isOn: true, recoveryCodesLeft: 9 })
  const { recoveryCodes: fresh } = await ada.call(renewRecoveryCodes, { password: passwordOf(ada) })
  expect([await signIn(recoveryCodes[1]!), await signIn(fresh[1]!)]).toEqual([401, 303])
})

test('rejects codes of another account', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  await turnOn(ada)
  const bobs = await turnOn(bob)
  const browser = newBrowser()
  await browser.givePassword(ada, passwordOf(ada))
  expect((await browser.giveCode(bobs.app(1))).status).toBe(401)
  expect((await browser.giveCode(bobs.recoveryCodes[0]!)).status).toBe(401)
})

test('a trusted browser skips the code until the password changes', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const phone = newBrowser()
  await phone.givePassword(ada, passwordOf(ada))
  await phone.giveCode(app(1), { remember: '1' })
  phone.jar.delete('primo')
  expect((await phone.givePassword(ada, passwordOf(ada))).to).toBe('/cart')
  expect((await newBrowser().givePassword(ada, passwordOf(ada))).to).toContain('/api/login/code')
  const next = 'a quiet river bend'
  await ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: next })
  phone.jar.delete('primo')
  expect((await phone.givePassword(ada, next)).to).toContain('/api/login/code')
})

test('trusts a browser for 30 days and for one account', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const [{ app }] = [await turnOn(ada), await turnOn(bob)]
  const phone = newBrowser()
  await phone.givePassword(ada, passwordOf(ada))
  await phone.giveCode(app(1), { remember: '1' })
  const signIn = async (person: Person) => {
    phone.jar.delete('primo')
    return (await phone.givePassword(person, passwordOf(person))).to
  }
  const pass = (days: number) =>
    open.shop.database.pool.query('UPDATE trusted_browsers SET expires_at = expires_at - make_interval(days => $1)', [
      days,
    ])
  expect(await signIn(bob)).toContain('/api/login/code')
  await pass(29)
  expect(await signIn(ada)).toBe('/cart')
  await pass(1)
  expect(await signIn(ada)).toContain('/api/login/code')
})

test('ending all other sessions forgets other trusted browsers but keeps this one', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const [mine, stolen] = [newBrowser(), newBrowser()]
  for (const browser of [mine, stolen]) {
    await browser.givePassword(ada, passwordOf(ada))
    await browser.giveCode(app(1), { remember: '1' })
    await forgetSteps()
  }
  const cookie = ['primo', 'primo-trusted'].map((name) => `${name}=${mine.jar.get(name)}`).join('; ')
  await open.shop.call(endOtherSessions, {}, { headers: { cookie } })
  for (const [browser, to] of [
    [mine, '/cart'],
    [stolen, '/api/login/code?returnTo=%2Fcart'],
  ] as const) {
    browser.jar.delete('primo')
    expect((await browser.givePassword(ada, passwordOf(ada))).to).toBe(to)
  }
})

test('a trusted browser is no fresh proof of identity', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const phone = newBrowser()
  await phone.givePassword(ada, passwordOf(ada))
  await phone.giveCode(app(1), { remember: '1' })
  phone.jar.delete('primo')
  expect((await phone.givePassword(ada, passwordOf(ada))).to).toBe('/cart')
  const signedIn = { headers: { cookie: `primo=${phone.jar.get('primo')}` } }
  await expect(open.shop.call(endSecondFactor, { password: passwordOf(ada) }, signedIn)).rejects.toMatchObject({
    status: 403,
    code: 'step_up_required',
  })
  await forgetSteps()
  await open.shop.call(verifyIdentity, { code: app(1) }, signedIn)
  const ended = await open.shop.call(endSecondFactor, { password: passwordOf(ada) }, signedIn)
  expect(ended.isOn).toBe(false)
})

test('requires the password again if it changed before the code', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const browser = newBrowser()
  await browser.givePassword(ada, passwordOf(ada))
  await ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: 'a quiet river bend' })
  expect((await browser.giveCode(app(1))).to).toContain('/api/login/password')
  expect(browser.isSignedIn()).toBe(false)
})

test('a reset forgets trusted browsers and ends a sign-in that waits for its code', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const [phone, thief] = [newBrowser(), newBrowser()]
  for (const browser of [phone, thief]) await browser.givePassword(ada, passwordOf(ada))
  await phone.giveCode(app(1), { remember: '1' })
  const send = (path: string, form: Record<string, string>) =>
    fetch(open.shop.url + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  await send('/api/login/forgot', { email: ada.email })
  const { pathname, search } = await mailedLink(open.shop, ada.email, 'Choose a new password')
  const password = 'a quiet river bend'
  expect((await send(pathname + search, { password })).status).toBe(303)
  await forgetSteps()
  expect((await thief.giveCode(app(1))).to).toContain('/api/login/password')
  expect((await phone.givePassword(ada, password)).to).toContain('/api/login/code')
})

test('rejects a code without the password step', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const browser = newBrowser()
  expect((await browser.giveCode(app(1))).to).toContain('/api/login/password')
  browser.jar.set('primo-sign-in', 'x'.repeat(32))
  expect((await browser.giveCode(app(1))).to).toContain('/api/login/password')
  expect(browser.isSignedIn()).toBe(false)
})

test('a new key is inactive until confirmed and is not shown again', async () => {
  const ada = await open.shop.join()
  const password = passwordOf(ada)
  const { key, uri, qr } = await ada.call(beginSecondFactor, { password })
  expect(uri).toContain(`secret=${key}`)
  expect(qr.path.length).toBeGreaterThan(qr.size)
  expect((await newBrowser().givePassword(ada, password)).to).toBe('/cart')
  await expect(ada.call(confirmSecondFactor, { code: '000000' })).rejects.toMatchObject({ status: 409 })
  await expect(ada.call(verifyIdentity, { code: appOf(key)(0) })).rejects.toMatchObject({ code: 'wrong_code' })
  await ada.call(confirmSecondFactor, { code: appOf(key)(0) })
  await expect(ada.call(beginSecondFactor, { password })).rejects.toMatchObject({ status: 409 })
  await forgetSteps()
  await expect(ada.call(confirmSecondFactor, { code: appOf(key)(0) })).rejects.toMatchObject({ status: 409 })
})

test('requires the password to turn two-factor authentication on or off', async () => {
  const ada = await open.shop.join()
  const password = 'wrong horse'
  await expect(ada.call(beginSecondFactor, { password })).rejects.toMatchObject({ status: 409 })
  await turnOn(ada)
  await expect(ada.call(endSecondFactor, { password })).rejects.toMatchObject({ status: 409 })
  await expect(ada.call(renewRecoveryCodes, { password })).rejects.toMatchObject({ status: 409 })
  expect(await ada.call(getSecondFactor, {})).toEqual({ isOn: true, recoveryCodesLeft: 10 })
  expect(await ada.call(endSecondFactor, { password: passwordOf(ada) })).toEqual({ isOn: false, recoveryCodesLeft: 0 })
  expect((await newBrowser().givePassword(ada, passwordOf(ada))).to).toBe('/cart')
})

test('mails the owner when two-factor authentication is turned on and off', async () => {
  const ada = await open.shop.join()
  await turnOn(ada)
  await ada.call(endSecondFactor, { password: passwordOf(ada) })
  const mails = await open.shop.database.db
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', ada.email)
    .orderBy('createdAt')
    .execute()
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Two-factor authentication is on',
    'Two-factor authentication is off',
  ])
})

test('stores keys encrypted, so that a copied table reveals no codes', async () => {
  const ada = await open.shop.join()
  const { key } = await ada.call(beginSecondFactor, { password: passwordOf(ada) })
  const { sealedSecret } = await open.shop.database.db
    .selectFrom('secondFactors')
    .select('sealedSecret')
    .where('userId', '=', ada.id)
    .executeTakeFirstOrThrow()
  expect(Buffer.from(sealedSecret, 'base64').includes(fromBase32(key))).toBe(false)
})

test('limits wrong codes per account and network', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1' })
  const ada = await shop.join()
  await turnOn(ada)
  const browser = newBrowser(shop)
  await browser.givePassword(ada, passwordOf(ada))
  const answers = []
  for (let i = 0; i < 6; i++) answers.push((await browser.giveCode(`00000${i}`)).status)
  expect(answers).toEqual([401, 401, 401, 401, 401, 429])
  await shop.close()
})

test('allows sixty wrong codes a day from all networks and still accepts recovery codes', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
  const ada = await shop.join()
  const { recoveryCodes } = await turnOn(ada)
  const browser = newBrowser(shop)
  await browser.givePassword(ada, passwordOf(ada))
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const give = async (code: string, from: string) => {
    const headers = { cookie, 'x-forwarded-for': from }
    const body = new URLSearchParams({ code })
    return (await fetch(`${shop.url}/api/login/code`, { method: 'POST', redirect: 'manual', headers, body })).status
  }
  const guesses = []
  for (let i = 0; i < 61; i++) guesses.push(await give('000000', `93.184.${i}.9`))
  expect(guesses).toEqual([...Array<number>(60).fill(401), 429])
  expect(await give(recoveryCodes[0]!, '81.2.3.4')).toBe(303)
  await shop.close()
})

test.each(['', '12345', 'a code', 'x'.repeat(2000)])('returns status 400 for the code %j', async (code) => {
  const ada = await open.shop.join()
  await turnOn(ada)
  const browser = newBrowser()
  await browser.givePassword(ada, passwordOf(ada))
  expect((await browser.giveCode(code)).status).toBe(400)
})

test('rejects codes without an error after SECRET changed', async () => {
  const ada = await open.shop.join()
  const { app } = await turnOn(ada)
  const { pool } = open.shop.database
  await pool.query(`UPDATE second_factors SET sealed_secret = 'AAAA', last_step = 0 WHERE user_id = $1`, [ada.id])
  const browser = newBrowser()
  await browser.givePassword(ada, passwordOf(ada))
  expect((await browser.giveCode(app(1))).status).toBe(401)
})

test('rejects a key that was copied to another account', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const bobs = await turnOn(bob)
  await turnOn(ada)
  await open.shop.database.pool.query(
    `UPDATE second_factors SET last_step = 0, sealed_secret = (SELECT sealed_secret FROM second_factors WHERE user_id = $2)
     WHERE user_id = $1`,
    [ada.id, bob.id],
  )
  const browser = newBrowser()
  await browser.givePassword(ada, passwordOf(ada))
  expect((await browser.giveCode(bobs.app(1))).status).toBe(401)
})
