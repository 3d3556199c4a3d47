import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { openTestNode, type TestNode } from '../../../test/identity.ts'

// How long a staff session is open after a proof of identity, and which factors production requires.

let node: TestNode
let close: () => Promise<void>
beforeAll(async () => {
  const { url, drop } = await createTestDatabase()
  node = await openTestNode(url, { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost' })
  close = async () => {
    await node.close()
    await drop()
  }
})
afterAll(() => close())

let people = 0
/** Creates a staff account with a session. `hasFactor` inserts a second factor without a usable key. */
async function joinStaff({ hasFactor = true } = {}) {
  const email = `staff${++people}@example.com`
  const id = await node.identity.createUser({ email, password: 'violet-harbour-71', isAdmin: true })
  const cookie = await node.identity.createSession(email)
  if (hasFactor)
    await node.database.pool.query(
      `INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) VALUES ($1, 'x', now())`,
      [id],
    )
  const ask = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${node.base}/api/admin/audit`, { headers: { cookie, ...headers } })
    return response.status === 200 ? 200 : ((await response.json()) as { code: string }).code
  }
  const age = (provenMinutes: number, usedMinutes: number | null) =>
    node.database.pool.query(
      `UPDATE sessions SET verified_at = now() - make_interval(mins => $2),
         staff_used_at = now() - make_interval(mins => $3) WHERE user_id = $1`,
      [id, provenMinutes, usedMinutes],
    )
  return { ask, age }
}

test('production admits no staff without a passkey or second factor', async () => {
  expect(await (await joinStaff({ hasFactor: false })).ask()).toBe('factor_needed')
  expect(await (await joinStaff()).ask()).toBe(200)
})

test.each([
  [29, null, 200],
  [31, null, 'step_up_required'],
  [470, 29, 200],
  [470, 31, 'step_up_required'],
  [481, 1, 'step_up_required'],
])('staff who proved themselves %i minutes ago and last used a page %s minutes ago get %s', async (...minutes) => {
  const { ask, age } = await joinStaff()
  await age(minutes[0], minutes[1])
  expect(await ask()).toBe(minutes[2])
})

test('a request that follows a touch prolongs the session of staff, and a page that polls does not', async () => {
  const { ask, age } = await joinStaff()
  await age(60, 29)
  expect(await ask()).toBe(200)
  const { rows } = await node.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM sessions WHERE staff_used_at > now() - interval '1 minute'`,
  )
  expect(rows[0]!.n).toBe(0)
  expect(await ask({ 'x-active': '1' })).toBe(200)
  await node.database.pool.query(`UPDATE sessions SET staff_used_at = staff_used_at - interval '29 minutes'`)
  expect(await ask()).toBe(200)
})

test('a request after a touch does not reopen a staff session that was idle for 31 minutes', async () => {
  const { ask, age } = await joinStaff()
  await age(60, 31)
  expect(await ask({ 'x-active': '1' })).toBe('step_up_required')
  expect(await ask()).toBe('step_up_required')
})
