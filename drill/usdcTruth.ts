import { unitsOf } from '../src/providers/usdc/units.rules.ts'
import type { TestChain } from '../test/chain/chain.ts'
import { findViolations } from './invariants.ts'
import type { Shopper, World } from './world.ts'

// Compares the shop's records with the balances of the chain.

export const findBroken = (world: World, shoppers: Shopper[]) =>
  findViolations(world.databaseUrl, null, { seen: shoppers.map(({ seen }) => seen), isOver: true })

export async function countExceptions({ database: { pool } }: World): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ kind: string; count: number }>(
    'SELECT kind, count(*)::int AS count FROM usdc_exceptions GROUP BY kind ORDER BY kind',
  )
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

type AddressState = {
  address: string
  status: string
  isCanceled: boolean
  units: number
  seen: number
  exceptions: Record<string, number>
}

export async function findUntruths({ database: { pool } }: World, chain: TestChain): Promise<string[]> {
  const { rows } = await pool.query<AddressState>(
    `SELECT a.address, p.status, p.status = 'canceled' AS "isCanceled", a.units::float8 AS units,
       (SELECT coalesce(sum(t.units), 0)::float8 FROM usdc_transfers t
         WHERE t.address = a.address AND confirmed_at IS NOT NULL AND removed_at IS NULL) AS seen,
       coalesce((SELECT json_object_agg(kind, cents) FROM (
         SELECT kind, sum(amount_cents)::int AS cents FROM usdc_exceptions e WHERE e.payment_id = p.id GROUP BY kind) sums), '{}') AS exceptions
     FROM usdc_addresses a JOIN payments p ON p.id = a.payment_id`,
  )
  const untruths: string[] = []
  for (const known of rows) {
    const there = await chain.balanceOf(known.address)
    const say = (what: string) => untruths.push(`TRUTH: ${known.address} holds ${there} units, and ${what}`)
    if (there !== known.seen) say(`the shop counts ${known.seen}`)
    const cents = Math.floor(there / unitsOf(1))
    const { late = 0, underpaid = 0, reorganised = 0, overpaid = 0 } = known.exceptions
    const isSold = /^(captured|refunded|part_refunded)$/.test(known.status)
    if (isSold && there < known.units && reorganised === 0) say(`its sold payment has no exception`)
    if (isSold && cents > known.units / unitsOf(1) && overpaid === 0) say(`staff do not know that it is too much`)
    if (!isSold && cents > 0 && late + underpaid === 0) say(`staff do not know it, and its payment is ${known.status}`)
    if (!isSold && !known.isCanceled && there >= known.units && late === 0)
      say(`its payment is ${known.status} although it was paid`)
  }
  const { rows: sent } = await pool.query<{ to: string; cents: number }>(
    `SELECT refund_address AS to, sum(amount_cents)::int AS cents FROM usdc_exceptions WHERE resolution = 'returned' GROUP BY 1`,
  )
  for (const { to, cents } of sent) {
    const there = await chain.balanceOf(to)
    if (there !== unitsOf(cents)) untruths.push(`TRUTH: ${to} got ${there} units back instead of ${unitsOf(cents)}`)
  }
  return untruths
}
