import { setTimeout as pause } from 'node:timers/promises'
import { refundOrder } from '../src/aftersale/refunds/refund.server.ts'
import { openWallet } from '../src/providers/usdc/address.server.ts'
import { unitsOf } from '../src/providers/usdc/units.rules.ts'
import { CONFIRMATIONS, type TestChain, XPUB } from '../test/chain/chain.ts'
import { comeToRest } from './rest.ts'
import type { Bank } from './usdcBank.ts'
import type { World } from './world.ts'
import { only } from '../src/kit/values/required.ts'

// Completes all USDC payments: the shop reads the whole chain, and staff return money that buyers must get back.

export async function settleAll(world: World, chain: TestChain, bank: Bank) {
  await bank.mine(CONFIRMATIONS + 3)
  await untilScanned(world, chain)
  await comeToRest(world)
  await untilScanned(world, chain)
}

async function untilScanned({ database: { pool } }: World, chain: TestChain, seconds = 90) {
  const head = Number(await chain.ask<string>('eth_blockNumber', []))
  for (const end = performance.now() + seconds * 1000; ; await pause(200)) {
    await pool.query('UPDATE usdc_cursors SET scanned_at = NULL')
    await pool.query(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
      FROM graphile_worker.jobs WHERE locked_at IS NULL AND task_identifier IN ('hear_payment', 'refund', 'reconcile_payment')`)
    const { rows } = await pool.query<Record<string, number>>(
      `SELECT (SELECT greatest(0, $1 - min(block_number))::int FROM usdc_cursors) AS "blocks behind",
        (SELECT count(*)::int FROM usdc_transfers WHERE confirmed_at IS NULL AND removed_at IS NULL) AS "unconfirmed transfers",
        (SELECT count(*)::int FROM usdc_exceptions WHERE state = 'sent') AS "unverified transactions",
        (SELECT count(*)::int FROM usdc_addresses a JOIN payments p ON p.id = a.payment_id
          WHERE is_due AND p.status NOT IN ('creating', 'created', 'capturing', 'declined')) AS "payments to level",
        (SELECT count(*)::int FROM graphile_worker.jobs WHERE task_identifier = 'hear_payment') AS "jobs"`,
      [head],
    )
    const left = Object.entries(only(rows)).filter(([, value]) => value !== 0)
    if (left.length === 0) return
    if (performance.now() > end) throw new Error(`not scanned: ${left.map(([what, n]) => `${n} ${what}`).join(', ')}`)
  }
}

const REFUNDS = 8
/** Start index of derived addresses that no payment uses. */
const WALLETS = 5_000_000

export async function giveBack(world: World, chain: TestChain, bank: Bank): Promise<number> {
  const { pool } = world.database
  const { rows: completed } = await pool.query<{ id: string }>(
    `SELECT o.id FROM orders o JOIN payments p ON p.order_id = o.id AND p.status = 'captured'
     WHERE NOT EXISTS (SELECT FROM usdc_exceptions e WHERE e.payment_id = p.id) ORDER BY o.id LIMIT ${REFUNDS}`,
  )
  for (const { id } of completed) await refundOrder(world.database, id, 'a drill')
  await untilMade(world, completed.length)
  const { rows: open } = await pool.query<{ id: string; cents: number }>(
    `SELECT id, amount_cents::int AS cents FROM usdc_exceptions WHERE state = 'open' AND kind <> 'reorganised' ORDER BY id`,
  )
  const wallet = openWallet(XPUB)
  const sendAll = async () => {
    for (const [i, { id, cents }] of open.entries()) {
      const to = wallet.addressAt(WALLETS + i)
      const txHash = await bank.send({ to, units: unitsOf(cents) })
      await pool.query(
        `UPDATE usdc_exceptions SET refund_address = $2, state = 'sent', tx_hash = $3 WHERE id = $1 AND state <> 'done'`,
        [id, to, txHash],
      )
    }
  }
  const undo = await chain.fork()
  await sendAll()
  await pause(6000)
  await bank.mine()
  await undo()
  await sendAll()
  await settleAll(world, chain, bank)
  return open.length
}

async function untilMade({ database: { pool } }: World, count: number) {
  for (const end = performance.now() + 30_000; performance.now() < end; await pause(100)) {
    const { rows } = await pool.query<{ made: number }>(
      `SELECT count(*)::int AS made FROM usdc_exceptions WHERE kind = 'refund'`,
    )
    if (only(rows).made >= count) return
  }
  throw new Error('the refunds did not come to staff')
}
