import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { cancelPayment, capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { refundOrder } from '../src/aftersale/refunds/refund.server.ts'
import { send } from '../src/kit/call.ts'
import { toDecimal } from '../src/kit/money.ts'
import { openWallet } from '../src/providers/usdc/address.server.ts'
import { rereadBlocks } from '../src/providers/usdc/scan.server.ts'
import { unitsOf } from '../src/providers/usdc/units.rules.ts'
import { CONFIRMATIONS, openChainNode, type TestChain, XPUB } from '../test/chain/chain.ts'
import { findViolations } from './invariants.ts'
import { comeToRest, countOrders } from './rest.ts'
import { createRandom } from './shoppers.ts'
import { lockTable, openStage } from './stage.ts'
import { openWorld, type Shopper, type World } from './world.ts'
import { only, required, wrapped } from '../src/kit/values/required.ts'

// Buyers pay with USDC on a real chain, which is reorganised, while nodes of the shop are killed, their clocks are wrong and
// one of the chain's nodes lies. The chain's balances are the truth at the end.

export type UsdcRound = { shoppers: number; seconds: number; minutesOff?: number; seed?: number }

/** Each transfer is a block. A few more are on their way when a reorganisation begins. */
const MAX_BLOCKS = rereadBlocks(CONFIRMATIONS) - 16

type Random = () => number
type Sent = { to: string; units: number; of?: string }

/** One action at a time: a transaction must not wait for a block that a reorganisation takes away. */
function openBank(chain: TestChain, random: Random) {
  let last: Promise<unknown> = Promise.resolve()
  let sentSince: Sent[] | null = null
  const counts = { transfers: 0, reorganisations: 0, deep: 0, vanished: 0 }

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
  const sendNow = ({ to, units, of }: Sent) => chain.send(to, units, of)

  return {
    counts,
    mine: (blocks = 1) => alone(() => chain.mine(blocks)),
    send: (sent: Sent) =>
      alone(async () => {
        counts.transfers += 1
        sentSince?.push(sent)
        return sendNow(sent)
      }),
    /** Takes the blocks of the last `ms` away. Most of their transfers come back in other blocks. */
    reorganise: async (ms: number, blocks: number) => {
      const undo = await alone(async () => {
        sentSince = []
        return chain.fork()
      })
      await pause(ms / 3)
      await alone(() => chain.mine(blocks))
      // the shop believes blocks that are deep enough, and reads no deeper than it promises
      const end = performance.now() + (ms * 2) / 3
      while (performance.now() < end && required(sentSince, 'the list of transfers').length + blocks < MAX_BLOCKS)
        await pause(50)
      await alone(async () => {
        const lost = required(sentSince, 'the list of transfers')
        sentSince = null
        await undo()
        counts.reorganisations += 1
        counts.deep += blocks > CONFIRMATIONS ? 1 : 0
        for (const sent of lost) {
          if (random() < 0.8) await sendNow(sent)
          else counts.vanished += 1
        }
      })
    },
  }
}
type Bank = ReturnType<typeof openBank>

type Buying = { world: World; urls: string[]; chain: TestChain; bank: Bank; random: Random }

/** Starts a payment, often in two tabs at once, and pays in one of many ways. Never throws for an answer of the shop. */
async function buy({ urls, chain, bank, random }: Buying, { cookie, seen }: Shopper, productId: string, cents: number) {
  const node = () => required(urls[Math.floor(random() * urls.length)], 'an entry of urls')
  const headers = { cookie }
  const quietly = <T>(call: () => Promise<T>): Promise<T | null> => {
    return call().catch(() => null)
  }
  const signal = () => AbortSignal.timeout(8000)
  const terms = { amount: toDecimal(cents), currency: 'USD', intent: 'capture', method: 'usdc' } as const
  const first = { ...terms, items: [{ productId, quantity: 1 }] }
  const key = crypto.randomUUID()
  const start = () =>
    quietly(() =>
      send(startPayment, first, { base: node(), headers: { ...headers, 'idempotency-key': key }, signal: signal() }),
    )
  const started = (await Promise.all(random() < 0.3 ? [start(), start()] : [start()])).find((one) => one !== null)
  if (!started) return
  const { id: to, orderId } = started
  seen.orders.push({ orderId, totalCents: cents })
  const units = unitsOf(cents)
  const pay = (some: number, of?: string) => bank.send({ to, units: some, ...(of && { of }) })
  const mood = random()
  if (mood < 0.5) await pay(units)
  else if (mood < 0.65) {
    await pay(units - unitsOf(250))
    await pause(randomInt(1000))
    await pay(unitsOf(250))
  } else if (mood < 0.73) await pay(units + unitsOf(130))
  else if (mood < 0.8) await pay(units - 1)
  else if (mood < 0.85) await pay(units, chain.otherToken)
  else if (mood < 0.92) {
    await quietly(() => send(cancelPayment, { id: to }, { base: node(), headers, signal: signal() }))
    await pay(units)
  } else return
  if (random() < 0.3) await quietly(() => send(capturePayment, { id: to }, { base: node(), headers, signal: signal() }))
}

export async function runUsdc(
  databaseUrl: string,
  { shoppers: count, seconds, minutesOff = 0, seed = randomInt(2 ** 31) }: UsdcRound,
) {
  const chain = await openChainNode()
  const world = await openWorld(databaseUrl, { BONUS_PERCENT: '0', ...chain.settings })
  const random = createRandom(seed)
  const bank = openBank(chain, random)
  try {
    const prices = [999, 1250]
    const products = await Promise.all(prices.map((priceCents) => world.offer({ priceCents })))
    const shoppers = await world.invite(count)
    const first = await world.start(minutesOff)
    let second = await world.startBeside(-minutesOff)
    const urls = [world.url, second.url]
    const buying = { world, urls, chain, bank, random }
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const errors: string[] = []
    let kills = 0
    let lies = 0

    async function killSecond() {
      while (!isOver()) {
        await pause(randomInt(4000, 9000))
        await second.shop.kill()
        errors.push(...second.shop.errors())
        kills += 1
        second = await world.startBeside(-minutesOff)
        urls[1] = second.url
      }
    }
    async function lie() {
      const kinds = ['away', 'hidden', 'block', 'ahead'] as const
      while (!isOver()) {
        await pause(randomInt(4000, 8000))
        chain.lie(wrapped(kinds, lies++))
        await pause(randomInt(500, 2500))
        chain.lie(null)
      }
    }
    async function reorganise() {
      for (let round = 0; !isOver(); round++) {
        // every third goes deeper than the confirmations, after the shop has had time to believe it
        const isDeep = round % 3 === 2
        await bank.reorganise(isDeep ? 15_000 : randomInt(200, 1500), isDeep ? CONFIRMATIONS + 2 : 1)
        await bank.mine(randomInt(1, CONFIRMATIONS + 2))
        await pause(randomInt(500, 2000))
      }
    }
    const shopping = shoppers.map(async (shopper, i) => {
      while (!isOver()) {
        await buy(
          buying,
          shopper,
          required(products[i % 2], 'an entry of products'),
          required(prices[i % 2], 'an entry of prices'),
        )
        await pause(randomInt(4000, 9000))
      }
    })
    await Promise.all([...shopping, killSecond(), lie(), reorganise()])
    chain.lie(null)
    await settleAll(world, chain, bank)
    const returned = await giveBack(world, chain, bank)
    return {
      ...{ seed, kills, lies, returned, ...bank.counts },
      orders: await countOrders(world),
      exceptions: await countExceptions(world),
      violations: [...(await findUntruths(world, chain)), ...(await findBroken(world, shoppers))],
      errors: [...errors, ...first.errors(), ...second.shop.errors()],
    }
  } finally {
    await world.close()
    await chain.stop()
  }
}

const findBroken = (world: World, shoppers: Shopper[]) =>
  findViolations(world.databaseUrl, null, { seen: shoppers.map(({ seen }) => seen), isOver: true })

async function settleAll(world: World, chain: TestChain, bank: Bank) {
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
/** The first index of wallets that no payment gets. */
const WALLETS = 5_000_000

async function giveBack(world: World, chain: TestChain, bank: Bank): Promise<number> {
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

async function countExceptions({ database: { pool } }: World): Promise<Record<string, number>> {
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

async function findUntruths({ database: { pool } }: World, chain: TestChain): Promise<string[]> {
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

type Waiting = { world: World; stage: Awaited<ReturnType<typeof openStage>>; orderId: string }

export const USDC_STEPS: { name: string; reach: (waiting: Waiting) => Promise<unknown> }[] = [
  {
    name: 'after the chain is read, before rows and cursor are written',
    reach: async ({ stage }) => {
      await stage.hold(lockTable('usdc_transfers', 'EXCLUSIVE'))
      return () => stage.standing(1, 'INSERT INTO usdc_transfers')
    },
  },
  {
    name: 'after the rows are written, before the payment settles',
    reach: async ({ stage, orderId }) => {
      await stage.hold(`SELECT FROM orders WHERE id = '${orderId}' FOR UPDATE`)
      return () => stage.standing(1, 'from "orders"')
    },
  },
  {
    name: 'inside settle, before it is committed',
    reach: async ({ stage }) => {
      await stage.hold(lockTable('mails', 'EXCLUSIVE'))
      return () => stage.standing(1, 'insert into "mails"')
    },
  },
]
const STEP_TIMEOUT_MS = 20_000

export async function runUsdcSteps(databaseUrl: string, { rounds = 1 } = {}) {
  const chain = await openChainNode()
  const world = await openWorld(databaseUrl, { BONUS_PERCENT: '0', ...chain.settings })
  const violations: string[] = []
  const cents = 1250
  try {
    const bank = openBank(chain, createRandom(1))
    const productId = await world.offer({ priceCents: cents })
    const shopper = only(await world.invite(1))
    await world.start()
    for (let round = 0; round < rounds; round++)
      for (const { name, reach } of USDC_STEPS) {
        const terms = { amount: toDecimal(cents), currency: 'USD', intent: 'capture', method: 'usdc' } as const
        const { id, orderId } = await send(
          startPayment,
          { ...terms, items: [{ productId, quantity: 1 }] },
          { base: world.url, headers: { cookie: shopper.cookie, 'idempotency-key': crypto.randomUUID() } },
        )
        const stage = await openStage(world.databaseUrl, STEP_TIMEOUT_MS)
        try {
          const standing = (await reach({ world, stage, orderId })) as () => Promise<void>
          await bank.send({ to: id, units: unitsOf(cents) })
          await bank.mine(CONFIRMATIONS)
          await standing()
        } finally {
          await world.kill()
          await stage.clear()
        }
        await world.start()
        await settleAll(world, chain, bank)
        const { rows } = await world.database.pool.query<{ status: string }>(
          'SELECT status FROM orders WHERE id = $1',
          [orderId],
        )
        if (only(rows).status !== 'completed') violations.push(`${name}: the order is ${only(rows).status}`)
        violations.push(...(await findUntruths(world, chain)), ...(await findBroken(world, [shopper])))
      }
    return { kills: rounds * USDC_STEPS.length, violations }
  } finally {
    await world.close()
    await chain.stop()
  }
}
