import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { type FaultKind, Faults } from './contract.ts'

export type FaultBox = Awaited<ReturnType<typeof openFaults>>

const NONE: Faults = { rate: 0, kinds: [], latencyMs: 1000 }
const PRECISION = 1_000_000

/** The faults asked for. They survive a restart; other nodes follow when they next `reload`. */
export async function openFaults(pool: pg.Pool) {
  let faults = NONE
  let edition = 0

  async function reload() {
    const before = edition
    const { rows } = await pool.query<{ value: string }>(`SELECT value FROM sandbox.keys WHERE name = 'faults'`)
    // what was read while others were being set may be older than they
    if (before !== edition) return
    const read = Faults.safeParse(rows[0] ? JSON.parse(rows[0].value) : NONE)
    faults = read.success ? read.data : NONE
  }

  async function set(next: Faults) {
    edition += 1
    await pool.query(
      `INSERT INTO sandbox.keys (name, value) VALUES ('faults', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [JSON.stringify(next)],
    )
    faults = next
    edition += 1
  }

  /** The fault that something meets, if any, among those that can befall it. */
  function roll(...possible: FaultKind[]): FaultKind | null {
    const kinds = faults.kinds.filter((kind) => possible.includes(kind))
    if (kinds.length === 0 || randomInt(PRECISION) >= faults.rate * PRECISION) return null
    return kinds[randomInt(kinds.length)]!
  }

  await reload()
  return { reload, set, roll, latencyMs: () => faults.latencyMs }
}
