import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { only } from '../src/kit/values/required.ts'

// Locks that stop the shop at a step of its work, so that a drill can kill it there.

export const lockTable = (name: string, mode: 'EXCLUSIVE' | 'ACCESS EXCLUSIVE') => `LOCK TABLE ${name} IN ${mode} MODE`

// Below the shop's lock timeout of 5 s: after it, the request fails and never reaches the step.
const TIMEOUT_MS = 4500

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage(databaseUrl: string, patienceMs = TIMEOUT_MS) {
  const clients = new Set<pg.Client>()
  const eye = await connect()

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'primo drill' })
    client.on('error', () => undefined)
    await client.connect()
    clients.add(client)
    return client
  }

  async function until(isSo: () => Promise<boolean>, what: string) {
    const end = performance.now() + patienceMs
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`the shop did not come to this step: ${what}`)
      await pause(10)
    }
  }

  async function release(client: pg.Client) {
    clients.delete(client)
    await client.end()
  }

  async function hold(text: string): Promise<() => Promise<void>> {
    const client = await connect()
    await client.query('BEGIN')
    await client.query(text)
    return () => release(client)
  }

  /** Waits for a lock in the queue. The shop's later statements wait behind it. */
  async function queueFor(text: string) {
    const client = await connect()
    await client.query('BEGIN')
    client.query(text).catch(() => undefined)
    await until(async () => {
      const { rowCount } = await eye.query(
        `SELECT FROM pg_stat_activity
         WHERE query = $1 AND wait_event_type = 'Lock' AND datname = current_database()`,
        [text],
      )
      return rowCount === 1
    }, text)
  }

  /** Waits until `count` statements that contain `words` wait for a lock. Ignores quotes and case. */
  const standing = (count: number, words: string) =>
    until(async () => {
      const { rows } = await eye.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND application_name <> 'primo drill' AND wait_event_type = 'Lock'
           AND position($1 IN lower(replace(query, '"', ''))) > 0`,
        [words.replaceAll('"', '').toLowerCase()],
      )
      return only(rows).waiting >= count
    }, `${count} × ${words}`)

  const isTrue = (text: string) =>
    until(async () => Object.values(only((await eye.query<Record<string, boolean>>(text)).rows))[0] === true, text)

  const clear = () => Promise.all([...clients].map(release))

  return { hold, queueFor, standing, isTrue, clear }
}
