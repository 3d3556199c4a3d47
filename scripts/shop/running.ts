import pg from 'pg'
import { Failure } from '../../src/kit/failure.ts'

/** One connection without the shop's short time limits, for work that takes as long as it takes. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'primo command', keepAlive: true })
  // the query under way reports it too
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Nodes of the shop on this database, wherever they run: every one keeps a connection of this name. */
export async function countNodes(client: pg.ClientBase, kind: 'serving' | 'working' = 'serving'): Promise<number> {
  const { rows } = await client.query<{ nodes: number }>(
    'SELECT count(*)::int AS nodes FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [kind === 'serving' ? 'primo bus' : 'primo node'],
  )
  return rows[0]!.nodes
}

export async function refuseWhileRunning(client: pg.ClientBase) {
  const nodes = (await countNodes(client)) || (await countNodes(client, 'working'))
  if (nodes > 0) throw new Failure(409, 'The shop is running on this database. Stop it first (on every machine).')
}
