import { expect, test } from 'vitest'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { appOf } from '../../test/totp.ts'
import { beginSecondFactor, confirmSecondFactor } from '../identity/second-factor/secondFactor.contract.ts'
import { verifyIdentity } from '../identity/second-factor/stepUp.contract.ts'
import { type Access, isForStaff, ROLES } from '../kit/contract.ts'
import { accessOf, lineOf, type Route } from '../kit/handle.server.ts'

// Calls every route as every kind of caller (attacks A1, A11, A14 and A15).

// Includes the routes that optional settings add.
const open = openShopForTests({
  MAIL_BOUNCE_TOKEN: 'a-token-that-nobody-here-sends',
  METRICS_TOKEN: 'a-token-that-nobody-here-sends',
})
const SOME_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'

async function ask(route: Route, person: Pick<Person, 'cookie'> | null, body?: object) {
  const [method, path] = lineOf(route).replace(/:\w+/g, SOME_ID).split(' ') as [string, string]
  const response = await fetch(open.shop.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(person && { cookie: person.cookie }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // The change feed never ends by itself.
    signal: AbortSignal.timeout(60_000),
  })
  await response.body?.cancel()
  return response.status
}

/** Callers that each access level admits. A visitor has no session. A reply of 401 or 403 means not admitted. */
const ADMITTED: Record<Access, string> = {
  public: 'visitor member support finance admin',
  token: '',
  member: 'member support finance admin',
  staff: 'support finance admin',
  support: 'support admin',
  finance: 'finance admin',
  admin: 'admin',
}

/** Routes that verify a signature or their own key instead of a session. */
const hasOwnProof = (line: string) =>
  /webhook$|\/mails\/bounces$|\/metrics$|\/sandbox\/|PUT \/objects\/:id(\/parts\/:number)?$/.test(line)

test('admits visitors, members and each role of staff to each route as declared and answers no 5xx', async () => {
  const people = await Promise.all(ROLES.map((role) => open.shop.join({ role })))
  for (const route of open.shop.routes) {
    const line = lineOf(route)
    if (hasOwnProof(line)) continue
    const statuses = [await ask(route, null)]
    for (const { email } of people) {
      // A session per request, because one route ends it.
      statuses.push(await ask(route, { cookie: await open.shop.identity.createSession(email) }))
    }
    const admitted = ['visitor', ...ROLES].filter((_, i) => statuses[i] !== 401 && statuses[i] !== 403)
    expect(admitted.join(' '), `${line}: ${statuses.join()}`).toBe(ADMITTED[accessOf(route)])
    expect(Math.max(...statuses), line).toBeLessThan(500)
    if (accessOf(route) !== 'public') expect(statuses[0], line).toBe(401)
    if (isForStaff(accessOf(route))) expect(statuses[1], line).toBe(403)
  }
})

test('requires the second factor of staff who have one; a password or remembered device is not enough', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const password = `correct horse ${/\d+/.exec(staff.email)![0]}`
  const { key } = await staff.call(beginSecondFactor, { password })
  const app = appOf(key)
  await staff.call(confirmSecondFactor, { code: app(0) })
  // A session from a remembered device starts without a fresh proof.
  await open.shop.database.pool.query(`UPDATE sessions SET verified_at = 'epoch' WHERE user_id = $1`, [staff.id])
  const ways = open.shop.routes.filter((route) => isForStaff(accessOf(route)))
  const statuses = () => Promise.all(ways.map((route) => ask(route, staff)))
  expect(new Set(await statuses())).toEqual(new Set([403]))
  await expect(staff.call(verifyIdentity, { password })).rejects.toMatchObject({ status: 409 })
  expect(new Set(await statuses())).toEqual(new Set([403]))
  await staff.call(verifyIdentity, { code: app(1) })
  expect(await statuses()).not.toContain(403)
})

test('rejects every session, even of staff, on routes that verify their own key', async () => {
  const routes = open.shop.routes.filter((route) => hasOwnProof(lineOf(route)) && !/\/sandbox\//.test(lineOf(route)))
  expect(routes.map(lineOf).sort()).toEqual([
    'GET /metrics',
    'POST /api/mails/bounces',
    'POST /api/payments/paypal/webhook',
    'POST /api/payments/stripe/webhook',
    'PUT /objects/:id',
    'PUT /objects/:id/parts/:number',
  ])
  const people = [null, await open.shop.join(), await open.shop.join({ isAdmin: true })]
  for (const route of routes)
    for (const person of people) expect([400, 401, 403, 404], lineOf(route)).toContain(await ask(route, person))
})

const CLAIMS = [{ role: 'admin' }, { isAdmin: true }, { is_admin: true }, { user: { role: 'admin' } }]

test('rejects a role under any name in a request body', async () => {
  const [member, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const writes = open.shop.routes.filter(
    (route) => route.kind === 'call' && !lineOf(route).startsWith('GET ') && accessOf(route) !== 'token',
  )
  expect(writes.length).toBeGreaterThan(25)
  for (const route of writes) {
    const person = isForStaff(accessOf(route)) ? staff : member
    for (const claim of CLAIMS) expect(await ask(route, person, claim), lineOf(route)).toBe(400)
  }
  const { db } = open.shop.database
  const { role } = await db.selectFrom('users').select('role').where('id', '=', member.id).executeTakeFirstOrThrow()
  expect(role).toBe('member')
})

test('ignores a role in the forms of the sign-in pages', async () => {
  const forms = open.shop.routes.filter((route) => route.kind === 'raw' && /^POST \/api\/login\//.test(lineOf(route)))
  expect(forms.length).toBeGreaterThan(5)
  const admins = open.shop.database.db.selectFrom('users').select('email').where('role', '=', 'admin')
  const before = await admins.execute()
  for (const route of forms) {
    const path = lineOf(route).split(' ')[1]!
    const body = new URLSearchParams({ role: 'admin' })
    const { status } = await fetch(open.shop.url + path, { method: 'POST', body, redirect: 'manual' })
    expect([400, 410, 302, 303], `${path} ${status}`).toContain(status)
  }
  expect(await admins.execute()).toEqual(before)
})

/** Routes whose limits all nodes count together. The sign-in pages have separate limits. */
const COUNTED_TOGETHER = [
  'GET /setup',
  'POST /order',
  'POST /order/:id/capture',
  'POST /api/orders',
  'POST /api/admin/orders/:id/refunds',
  'POST /api/orders/:id/lines/:lineId/reveal',
  'POST /api/orders/:id/lines/:lineId/license/reveal',
  'POST /api/cart/discounts',
  'POST /api/payouts',
  'PUT /api/payouts/details',
  'POST /api/admin/payouts/batches',
  'PUT /api/admin/payouts/mark',
  'POST /api/account/password',
  'PUT /api/account/password',
  'POST /api/account/step-up/mail',
  'POST /api/account/verification',
  'POST /api/account/second-factor',
  'POST /api/account/email',
  'POST /api/account/deletion',
  'POST /api/account/export',
  'GET /api/account/export',
  'POST /api/login/passkey',
  'POST /api/orders/:id/confirm',
  'POST /api/orders/:id/lines/:lineId/download',
  'POST /api/objects/upload',
  'POST /api/objects/url/get',
  'POST /api/products',
  'PUT /api/products/:id/files',
  'POST /api/products/analyze',
  'PUT /api/products/:id/report',
  'PUT /api/products/:id/take-down',
  'PUT /api/products/:id/question',
  'POST /api/admin/sellers/:id/suspension',
  'POST /api/chat',
]

test('shares limits that protect money, goods or passwords, and counts those of cached reads per node', () => {
  const isShared = (route: Route) => route.limits.length > 0 && route.limits.every((limit) => limit.isShared)
  const shared = open.shop.routes.filter(isShared).map(lineOf)
  for (const line of COUNTED_TOGETHER) expect(shared).toContain(line)
  for (const route of open.shop.routes)
    if (route.kind === 'cached')
      expect(
        route.limits.some((limit) => limit.isShared),
        lineOf(route),
      ).toBe(false)
})
