import { afterEach, expect, test, vi } from 'vitest'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import type { Input } from '../../kit/contract.ts'
import { sweepErrors } from './errors.store.server.ts'
import {
  analyzeError,
  type GroupStatus,
  listErrorGroups,
  listOccurrences,
  reportErrors,
  setErrorStatus,
} from './errors.contract.ts'
import { recordRelease, release } from '../release.server.ts'

const open = openShopForTests()
afterEach(() => vi.restoreAllMocks())

type Reported = Input<typeof analyzeError>
let texts = 0
/** A unique message of letters only, because numbers do not distinguish causes. */
const newMessage = () => `Failed to fetch ${String(texts++).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`

const record = (error: Partial<Reported['error']> = {}): Reported => ({
  error: {
    id: 'e1',
    type: 'network',
    message: newMessage(),
    stack: '',
    timestamp: Date.now(),
    severity: 'high',
    autoFixed: false,
    userAgent: 'test',
    ...error,
  },
  context: { userAgent: 'test', timestamp: Date.now(), url: 'https://shop.example/cart?code=7' },
})

const staff = () => open.shop.join({ isAdmin: true })
const groupsOf = async (admin: Person, status: GroupStatus = 'open') =>
  (await admin.call(listErrorGroups, { status })).groups
const findGroup = async (admin: Person, message: string, status?: GroupStatus) =>
  (await groupsOf(admin, status)).find((group) => group.message === message)

test('accepts the different report formats of the error screen and of the monitor', async () => {
  const screen: Reported = {
    error: { message: 'Cannot render', stack: 'Error: Cannot render', name: 'TypeError' },
    context: {
      componentStack: '\n    at Page',
      errorBoundary: true,
      timestamp: new Date().toISOString(),
      userAgent: 'test',
      url: '/',
    },
  }
  const told = await open.shop.call(analyzeError, screen)
  expect(told).toMatchObject({ action: 'recorded', success: true })
  expect((await open.shop.call(analyzeError, record({ id: 'mine' }))).errorId).toBe('mine')
  const admin = await staff()
  expect(await findGroup(admin, 'TypeError: Cannot render')).toMatchObject({
    id: told.errorId,
    severity: 'medium',
    type: 'javascript',
  })
})

test.each([
  ['network', 'retried'],
  ['javascript', 'given null checks'],
  ['performance', 'optimized'],
] as const)('shows the fix of a %s error only after it was made and checked', async (type, action) => {
  expect(await open.shop.call(analyzeError, record({ type, autoFixed: true }))).toMatchObject({ action })
  expect(await open.shop.call(analyzeError, record({ type }))).toMatchObject({ action: 'recorded' })
})

test('groups reports of one cause with times, people, route, release and a trend', async () => {
  const admin = await staff()
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const message = newMessage()
  for (const person of [ada, ada, bob]) await person.call(analyzeError, record({ message }))
  const group = await findGroup(admin, message)
  expect(group).toMatchObject({ times: 3, people: 2, severity: 'high', lastRelease: release, status: 'open' })
  expect(group!.days).toEqual([...Array<number>(13).fill(0), 3])
  const occurrences = await admin.call(listOccurrences, { id: group!.id })
  expect(occurrences).toHaveLength(3)
  expect(occurrences[0]).toMatchObject({ route: '/cart', release, autoFixed: false })
})

test('accepts errors that are not urgent in batches', async () => {
  const { error, context } = record({ message: 'x is undefined (several)', type: 'javascript', severity: 'low' })
  expect(await open.shop.call(reportErrors, { errors: [error, error], context })).toEqual({ recorded: 2 })
  expect(await findGroup(await staff(), 'x is undefined (several)')).toMatchObject({
    times: 2,
    people: 1,
    severity: 'low',
  })
  const eleven = Array.from({ length: 11 }, () => error)
  await expect(open.shop.call(reportErrors, { errors: eleven, context })).rejects.toMatchObject({ status: 400 })
})

test('stores no personal data or credentials, and grades the severity itself', async () => {
  const secrets = [
    'ada@shop.example',
    '4111 1111 1111 1111',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN',
  ]
  const text = `Failed to fetch for ${secrets.join(' ')} /cart?code=hidden`
  const sent = record({
    message: text,
    stack: `Error: ${text}\n    at pay (https://shop.example/x.js?token=hidden:1:2)`,
    severity: 'low',
  })
  await open.shop.call(analyzeError, { ...sent, context: { ...sent.context, componentStack: text } })
  const { rows } = await open.shop.database.pool.query<{ all: string; severity: string }>(
    `SELECT g::text || o::text AS all, g.severity FROM error_groups g JOIN error_occurrences o ON o.group_id = g.id
     WHERE g.message LIKE 'Failed to fetch for%'`,
  )
  expect(rows).toHaveLength(1)
  for (const secret of [...secrets, 'hidden']) expect(rows[0]!.all).not.toContain(secret)
  expect(rows[0]!.severity).toBe('high')
})

test('sends no report to another host, signed in or not', async () => {
  const asked: string[] = []
  const fetchAsIs = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    asked.push(String(input))
    return fetchAsIs(input, init)
  })
  const member = await open.shop.join()
  for (const via of [open.shop, member]) await via.call(analyzeError, record())
  expect(asked).toContain(`${open.shop.url}/api/ai/analyze-error`)
  // other tasks of this process may call its own machine
  expect(asked.filter((url) => !/^(localhost|127\.0\.0\.1)$/.test(new URL(url).hostname))).toEqual([])
})

test.each([
  ['is too long', { error: { message: 'x', stack: 'y'.repeat(15_900) }, context: { url: 'z'.repeat(600) } }, 413],
  ['has no message', { error: {}, context: {} }, 400],
  ['has more than is known', { error: { message: 'x', isAdmin: true }, context: {} }, 400],
  ['has a severity of its own', { error: { message: 'x', severity: 'fatal' }, context: {} }, 400],
])('rejects a report that %s', async (_, sent, status) => {
  await expect(open.shop.call(analyzeError, sent as Reported)).rejects.toMatchObject({ status })
})

test('reopens a fixed group for an error from a later release, but not from an older page', async () => {
  const admin = await staff()
  const { db } = open.shop.database
  const message = newMessage()
  const report = (name: string) => open.shop.call(analyzeError, record({ message }), { headers: { 'x-release': name } })
  await report(release)
  const { id } = (await findGroup(admin, message))!
  expect(await admin.call(setErrorStatus, { id, status: 'fixed' })).toMatchObject({ status: 'fixed', fixedIn: release })
  for (const name of [release, '9.9.9', '<b>']) await report(name)
  expect(await findGroup(admin, message, 'fixed')).toMatchObject({ times: 4 })
  await recordRelease(db, '9.9.9')
  await report('9.9.9')
  expect(await findGroup(admin, message)).toMatchObject({ status: 'open', isReopened: true, fixedIn: null })
})

test('mutes a group, still counts its errors, and audits both changes', async () => {
  const admin = await staff()
  const sent = record()
  await open.shop.call(analyzeError, sent)
  const { id } = (await findGroup(admin, sent.error.message))!
  await admin.call(setErrorStatus, { id, status: 'muted' })
  await open.shop.call(analyzeError, sent)
  expect(await findGroup(admin, sent.error.message, 'muted')).toMatchObject({ times: 2 })
  expect((await admin.call(listErrorGroups, { status: 'open' })).counts.muted).toBeGreaterThan(0)
  const acts = await open.shop.database.db.selectFrom('audit').select('act').where('subjectId', '=', id).execute()
  expect(acts).toEqual([{ act: 'error.muted' }])
  const nowhere = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
  await expect(admin.call(setErrorStatus, { id: nowhere, status: 'muted' })).rejects.toMatchObject({ status: 404 })
  await expect(admin.call(listOccurrences, { id: nowhere })).rejects.toMatchObject({ status: 404 })
})

test('retains the newest fifty occurrences of a cause', async () => {
  const sent = record()
  for (let i = 0; i < 52; i++) await open.shop.call(analyzeError, sent)
  const { rows } = await open.shop.database.pool.query(
    'SELECT count(*)::int AS kept FROM error_occurrences WHERE message = $1',
    [sent.error.message],
  )
  expect(rows).toEqual([{ kept: 50 }])
})

/** Adds open groups as after many reports, oldest sighting first. `people`: who saw each. */
const addCauses = (letter: string, count: number, people: (n: number) => string[], hoursAgo = 1) =>
  open.shop.database.pool.query(
    `WITH given AS (SELECT * FROM json_to_recordset($1) AS g (n int, people text[])),
     made AS (INSERT INTO error_groups (fingerprint, type, severity, message, first_release, last_release, times, people, last_seen_at)
       SELECT lpad(n::text, 64, $2), 'javascript', 'low', $2 || n, '1', '1', 1, cardinality(people),
         now() - $3 * interval '1 hour' + n * interval '1 second' FROM given RETURNING id, message)
     INSERT INTO error_people (group_id, person, last_seen_at)
     SELECT m.id, lpad(p, 32, '0'), now() - $3 * interval '1 hour' FROM made m JOIN given g ON m.message = $2 || g.n, unnest(g.people) p`,
    [JSON.stringify(Array.from({ length: count }, (_, n) => ({ n, people: people(n) }))), letter, hoursAgo],
  )
const causesOf = async (letter: string): Promise<number[]> => {
  const { rows } = await open.shop.database.pool.query<{ n: number }>(
    `SELECT substr(message, 2)::int AS n FROM error_groups WHERE message ~ ('^' || $1 || '[0-9]+$') ORDER BY n`,
    [letter],
  )
  return rows.map(({ n }) => n)
}
const forgetCauses = () => open.shop.database.pool.query("DELETE FROM error_groups WHERE message ~ '^[xyz][0-9]+$'")
const countOpen = async () => {
  const { rows } = await open.shop.database.pool.query(
    "SELECT count(*)::int AS n FROM error_groups WHERE status = 'open'",
  )
  return (rows[0] as { n: number }).n
}

test('lets a flood of invented errors evict only its own groups', async () => {
  const admin = await staff()
  const messages = [newMessage(), newMessage(), newMessage()]
  for (const message of messages) await open.shop.call(analyzeError, record({ message }))
  for (const [n, status] of (['muted', 'fixed'] as const).entries())
    await admin.call(setErrorStatus, { id: (await findGroup(admin, messages[n]!))!.id, status })
  await addCauses('x', 600, () => ['flooder'], 0)
  const last = record()
  await open.shop.call(analyzeError, last)
  expect(await countOpen()).toBe(500)
  const { rows: kept } = await open.shop.database.pool.query('SELECT FROM error_groups WHERE message = ANY ($1)', [
    [...messages, last.error.message],
  ])
  expect(kept).toHaveLength(4)
  await forgetCauses()
})

test('retains a new group in a table full of groups seen by one person each', async () => {
  await addCauses('x', 500, (n) => [`alone${n}`])
  const [first, second] = [record(), record()]
  await open.shop.call(analyzeError, first)
  for (let n = 0; n < 3; n++) await open.shop.call(analyzeError, record())
  await open.shop.call(analyzeError, second)
  expect(await countOpen()).toBe(500)
  const admin = await staff()
  for (const { error } of [first, second]) expect(await findGroup(admin, error.message)).toMatchObject({ people: 1 })
  // the oldest sightings were evicted
  expect((await causesOf('x'))[0]).toBeGreaterThanOrEqual(5)
  await forgetCauses()
})

test('never evicts a group seen by two people within a day', async () => {
  await addCauses('y', 5, (n) => [`one${n}`, `two${n}`], 20)
  await addCauses('z', 5, (n) => [`one${n}`, `two${n}`], 30)
  await addCauses('x', 495, (n) => [`alone${n}`])
  for (let n = 0; n < 3; n++) await open.shop.call(analyzeError, record())
  expect(await causesOf('y')).toHaveLength(5)
  expect(await causesOf('z')).toHaveLength(5)
  await open.shop.database.pool.query("DELETE FROM error_groups WHERE message ~ '^x[0-9]+$'")
  await addCauses('x', 600, (n) => [`one${n}`, `two${n}`])
  expect(await open.shop.call(analyzeError, record())).toMatchObject({ action: 'recorded' })
  // only older groups and groups of one person were evicted
  expect([await causesOf('y'), await causesOf('z')]).toEqual([[0, 1, 2, 3, 4], []])
  expect(await causesOf('x')).toHaveLength(600)
  expect(await open.shop.call(analyzeError, record())).toMatchObject({ action: 'recorded' })
  expect(await open.shop.call(analyzeError, record())).toMatchObject({ action: 'recorded' })
  await forgetCauses()
})

test('processes two reports at a time, and drops others without using the database', async () => {
  const client = await open.shop.database.pool.connect()
  const sent = record({ id: 'kept?' })
  try {
    await client.query('BEGIN; LOCK TABLE error_groups IN ACCESS EXCLUSIVE MODE')
    const told = Array.from({ length: 12 }, () => open.shop.call(analyzeError, sent))
    const done: { success: boolean }[] = []
    for (const one of told) void one.then((answer) => done.push(answer))
    await vi.waitFor(() => expect(done).toHaveLength(10), { timeout: 20_000 })
    expect(done.every(({ success }) => !success)).toBe(true)
    await client.query('COMMIT')
    const recorded = (await Promise.all(told)).filter(({ action }) => action === 'recorded')
    expect(recorded).toHaveLength(2)
  } finally {
    client.release(true)
  }
  const { error, context } = sent
  expect(await open.shop.call(reportErrors, { errors: [error], context })).toEqual({ recorded: 1 })
  expect(await findGroup(await staff(), error.message)).toMatchObject({ times: 3, people: 1 })
})

test('locks the row of a cause only for the last statement', async () => {
  const { pool } = open.shop.database
  const sent = record()
  await open.shop.call(analyzeError, sent)
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('UPDATE error_groups SET times = times WHERE message = $1', [sent.error.message])
    const second = open.shop.call(analyzeError, sent)
    const waiting = `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    await vi.waitFor(
      async () => {
        const { rows } = await pool.query<{ query: string }>(waiting)
        expect(rows.map(({ query }) => query.slice(0, 25))).toEqual(['UPDATE error_groups g SET'])
      },
      { timeout: 20_000 },
    )
    await client.query('COMMIT')
    expect(await second).toMatchObject({ success: true })
  } finally {
    client.release(true)
  }
})

test('deletes occurrences, people and open groups after 30 days, but not the decisions of staff', async () => {
  const admin = await staff()
  const { db, pool } = open.shop.database
  const [old, muted, fresh] = [record(), record(), record()]
  for (const sent of [old, muted, fresh]) await open.shop.call(analyzeError, sent)
  await admin.call(analyzeError, fresh)
  const mutedId = (await findGroup(admin, muted.error.message))!.id
  await admin.call(setErrorStatus, { id: mutedId, status: 'muted' })
  for (const change of [
    'error_occurrences SET seen_at',
    'error_groups SET last_seen_at',
    'error_people SET last_seen_at',
    'error_days SET day',
  ])
    await pool.query(`UPDATE ${change} = now() - interval '31 days'`)
  await admin.call(analyzeError, fresh)
  await sweepErrors(db, 30)
  expect(await findGroup(admin, old.error.message)).toBeUndefined()
  expect(await admin.call(listOccurrences, { id: mutedId })).toEqual([])
  expect(await findGroup(admin, muted.error.message, 'muted')).toMatchObject({ people: 0 })
  expect(await findGroup(admin, fresh.error.message)).toMatchObject({ people: 1, times: 3 })
})

test('skips rows that a request has locked, instead of waiting', async () => {
  const { db, pool } = open.shop.database
  await open.shop.call(analyzeError, record())
  await pool.query(`UPDATE error_days SET day = now() - interval '31 days'`)
  await pool.query(`UPDATE error_people SET last_seen_at = now() - interval '31 days'`)
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT FROM error_days FOR UPDATE')
    await client.query('SELECT FROM error_people FOR UPDATE')
    await sweepErrors(db, 30)
    await client.query('ROLLBACK')
  } finally {
    client.release(true)
  }
  const left = async () => (await pool.query('SELECT FROM error_days UNION ALL SELECT FROM error_people')).rowCount
  expect(await left()).toBeGreaterThan(0)
  await sweepErrors(db, 30)
  expect(await left()).toBe(0)
})
