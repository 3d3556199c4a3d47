import { randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type pg from 'pg'
import type { Page } from '../src/kit/handle.server.ts'
import { type FaultKind, Faults } from './faults.contract.ts'
import { required } from '../src/kit/values/required.ts'

export type FaultBox = Awaited<ReturnType<typeof openFaults>>

const NONE: Faults = { rate: 0, kinds: [], latencyMs: 1000 }
const PRECISION = 1_000_000

/** The faults that a test set for a service. They survive a restart; other nodes read them at `reload`. */
export async function openFaults(pool: pg.Pool, name: 'faults' | 'stripe_faults') {
  let faults = NONE
  let edition = 0

  async function reload() {
    const before = edition
    const { rows } = await pool.query<{ value: string }>('SELECT value FROM sandbox.keys WHERE name = $1', [name])
    // A `set` during the query is newer than these rows.
    if (before !== edition) return
    // Another version may have stored an invalid row. The sandbox then starts without faults.
    faults = Faults.safeParse(JSON.parse(rows[0]?.value ?? 'null')).data ?? NONE
  }

  async function set(next: Faults) {
    edition += 1
    await pool.query(
      `INSERT INTO sandbox.keys (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [name, JSON.stringify(next)],
    )
    faults = next
    edition += 1
  }

  function roll(...possible: FaultKind[]): FaultKind | null {
    const kinds = faults.kinds.filter((kind) => possible.includes(kind))
    if (kinds.length === 0 || randomInt(PRECISION) >= faults.rate * PRECISION) return null
    return required(kinds[randomInt(kinds.length)], 'an entry of kinds')
  }

  await reload()
  return { reload, set, roll, latencyMs: () => faults.latencyMs }
}

export function dropConnection({ stream }: Pick<Page, 'stream'>) {
  // Destroying a fully read request leaves its connection open, so destroy the socket.
  ;(stream as IncomingMessage).socket.destroy()
}
