import { setTimeout as pause } from 'node:timers/promises'
import { send } from '../src/kit/call.ts'
import {
  approvePayouts,
  listQueuedPayouts,
  requestPayout,
  savePayoutDetails,
} from '../src/payments/payouts/payouts.contract.ts'
import { earn } from '../test/earn.ts'
import { lockTable, openStage, type Stage } from './stage.ts'
import { openWorld, type Shopper, type World } from './world.ts'
import { firstOf, only, required } from '../src/kit/values/required.ts'

// Kills the shop at every step of one batch of payouts: request, approval, sending, the provider's answer, settling.

/** Mail tags by place in the batch. With a tag, the sandbox fails or returns the payout. */
const TAGS = ['', '', '', '', '', '', '', '+unclaimed', '+failed', '+returned']
const CENTS = 2500

const isPaid = (place: number) => TAGS[place % TAGS.length] === ''
const AT_ONCE = 8

async function inGroups<T>(items: T[], work: (item: T, place: number) => Promise<unknown>) {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map((item, i) => work(item, start + i)))
}

type Scene = { world: World; stage: Stage; staff: Shopper; sellers: Shopper[] }
type Step = { name: string; reach: (scene: Scene) => Promise<unknown> }

const as = (world: World, { cookie }: Shopper) => ({ base: world.url, headers: { cookie } })

const sendOff = (call: Promise<unknown>) => void call.catch(() => undefined)

async function approveAll({ world, staff }: Scene) {
  for (;;) {
    const waiting = await send(listQueuedPayouts, { queue: 'waiting', limit: 1000 }, as(world, staff))
    if (waiting.length === 0) return
    await send(approvePayouts, { ids: waiting.map(({ id }) => id) }, as(world, staff))
  }
}

async function requestAll({ world, sellers }: Pick<Scene, 'world' | 'sellers'>) {
  await inGroups(sellers, (seller) => send(requestPayout, {}, as(world, seller)).catch(() => undefined))
}

const RECORDS = lockTable('sandbox.records', 'EXCLUSIVE')

const STEPS: Step[] = [
  {
    name: 'while sellers request',
    reach: async (scene) => {
      sendOff(requestAll(scene))
      await scene.stage.isTrue(
        `SELECT count(*) >= ${Math.floor(scene.sellers.length / 3)} FROM payouts WHERE state = 'requested'`,
      )
    },
  },
  {
    name: 'inside the approval, before it is committed',
    reach: async (scene) => {
      await requestAll(scene)
      await scene.stage.hold(lockTable('audit', 'EXCLUSIVE'))
      sendOff(approveAll(scene))
      await scene.stage.standing(1, 'insert into "audit"')
    },
  },
  {
    name: 'after the approval, before the provider has the batch',
    reach: async (scene) => {
      await scene.stage.hold(RECORDS)
      sendOff(approveAll(scene))
      await scene.stage.standing(1, 'sandbox.records')
    },
  },
  {
    name: 'after the provider made the batch, before its id is stored',
    reach: async ({ stage, world }) => {
      const release = await stage.hold(RECORDS)
      await hurry(world)
      await stage.standing(1, 'sandbox.records')
      await stage.hold('SELECT FROM payout_batches FOR UPDATE')
      await release()
      await stage.isTrue(`SELECT count(*) > 0 FROM sandbox.records WHERE kind = 'payout_batch'`)
      await stage.standing(1, 'update "payout_batches"')
    },
  },
  {
    name: 'inside the settling of a payout, before it is committed',
    reach: async ({ stage, world }) => {
      await stage.hold(lockTable('mails', 'EXCLUSIVE'))
      await hurry(world)
      await stage.standing(1, 'insert into "mails"')
    },
  },
  {
    name: 'when some payouts are settled and others are not',
    reach: async ({ stage, world }) => {
      await hurry(world)
      await stage.isTrue(`SELECT count(*) > 2 FROM payouts WHERE state = 'sent'`)
    },
  },
]

/** Makes due the work that the reconciler and the webhook deliveries would do within the next hour. */
async function hurry({ database: { pool } }: World) {
  await pool.query(`UPDATE payout_batches SET looked_at = NULL, lease_until = NULL WHERE state IN ('approved', 'sent')`)
  await pool.query(`UPDATE webhook_events SET due_at = now() WHERE processed_at IS NULL`)
  // skips rows that a delivery has locked: they are being sent, and waiting for them could deadlock
  await pool.query(`UPDATE sandbox.events SET due_at = now() WHERE id IN (
    SELECT id FROM sandbox.events WHERE deliveries_left > 0 ORDER BY due_at FOR UPDATE SKIP LOCKED)`)
  await pool.query(`SELECT graphile_worker.add_job('reconcile_payouts', job_key => 'drill payouts')`)
  await pool.query(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
    FROM graphile_worker.jobs WHERE locked_at IS NULL`)
}

async function comeToRest(world: World, seconds: number) {
  const end = performance.now() + seconds * 1000
  for (;;) {
    await hurry(world)
    const { rows } = await world.database.pool.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM payouts WHERE state IN ('requested', 'approved', 'processing'))
        + (SELECT count(*) FROM payout_batches WHERE state IN ('approved', 'sent')) AS left`,
    )
    if (Number(only(rows).left) === 0) return
    if (performance.now() > end) throw new Error(`not at rest: ${only(rows).left} payouts and batches are open`)
    await pause(250)
  }
}

export async function runPayouts(databaseUrl: string, { sellers: count }: { sellers: number }) {
  const world = await openWorld(databaseUrl)
  const kills: string[] = []
  const wrong: string[] = []
  try {
    const staff = only(await world.invite(1, { role: 'finance' }))
    const sellers = await world.invite(count)
    for (const { seen } of sellers) await earn(world, seen.userId, CENTS)
    await world.start()
    await inGroups(sellers, (seller, place) => {
      const email = `seller${place}${TAGS[place % TAGS.length]}@mail.example`
      return send(savePayoutDetails, { details: { method: 'paypal', email } }, as(world, seller))
    })
    await world.database.pool.query('UPDATE payout_details SET waits_until = NULL')
    for (const step of STEPS) {
      const stage = await openStage(databaseUrl)
      try {
        await step.reach({ world, stage, staff: staff, sellers })
        kills.push(step.name)
      } finally {
        wrong.push(...(await world.kill()))
        await stage.clear()
      }
      wrong.push(...(await findWrong(world)).map((one) => `killed ${step.name}: ${one}`))
      await world.start()
    }
    const startedAt = performance.now()
    await comeToRest(world, 120)
    wrong.push(...(await findWrong(world)), ...(await findUnpaid(world, sellers)))
    return { kills, wrong, restedMs: performance.now() - startedAt }
  } finally {
    await world.close()
  }
}

async function findWrong({ database: { pool } }: World): Promise<string[]> {
  const { rows } = await pool.query<{ violation: string }>(`
    SELECT format('payout %s was sent %s times', item, count(*)) AS violation
    FROM (SELECT body->>'senderItemId' AS item FROM sandbox.records WHERE kind = 'payout_item') items
    GROUP BY item HAVING count(*) > 1
    UNION ALL SELECT format('the provider has another amount of payout %s', p.id) FROM payouts p
    JOIN sandbox.records r ON r.kind = 'payout_item' AND r.body->>'senderItemId' = p.id::text
    WHERE (r.body->>'cents')::bigint <> p.amount_cents
    UNION ALL SELECT format('%s holds %s cents', account, sum(amount_cents)) FROM ledger_entries
    WHERE account LIKE 'seller:%' GROUP BY account HAVING sum(amount_cents) > 0
    UNION ALL SELECT format('the ledger is off by %s cents', sum(amount_cents)) FROM ledger_entries HAVING sum(amount_cents) <> 0
    UNION ALL SELECT format('payout %s is %s, and its account has %s cents', p.id, p.state, coalesce(l.cents, 0)) FROM payouts p
    LEFT JOIN (SELECT account, sum(amount_cents) AS cents FROM ledger_entries GROUP BY 1) l ON l.account = 'payouts:' || p.id
    WHERE coalesce(l.cents, 0) <> CASE WHEN p.state IN ('requested', 'approved', 'processing') THEN -p.amount_cents ELSE 0 END`)
  return rows.map(({ violation }) => violation)
}

/** Returns sellers who were neither paid once nor got the money back, and a difference to the provider's sum. */
async function findUnpaid({ database: { pool } }: World, sellers: Shopper[]): Promise<string[]> {
  const { rows } = await pool.query<{ seller: string; states: string[]; owed: number; there: string[] }>(
    `SELECT s.id AS seller, array_agg(p.state) FILTER (WHERE p.id IS NOT NULL) AS states,
       (SELECT coalesce(-sum(amount_cents), 0)::bigint FROM ledger_entries WHERE account = 'seller:' || s.id) AS owed,
       array_agg(r.body->>'status') FILTER (WHERE r.id IS NOT NULL) AS there
     FROM unnest($1::uuid[]) s (id) LEFT JOIN payouts p ON p.seller_id = s.id
     LEFT JOIN sandbox.records r ON r.kind = 'payout_item' AND r.body->>'senderItemId' = p.id::text GROUP BY s.id`,
    [sellers.map(({ seen }) => seen.userId)],
  )
  const places = new Map(sellers.map(({ seen }, place) => [seen.userId, place]))
  const wrong = rows
    .filter(({ seller, states, owed, there }) => {
      const paid = isPaid(required(places.get(seller), 'a place'))
      const isRight = paid
        ? states?.join() === 'sent' && there?.join() === 'SUCCESS' && owed === 0
        : /^(failed|returned)$/.test(states?.join() ?? '') && owed === CENTS
      return !isRight
    })
    .map(
      ({ seller, states, owed, there }) => `seller ${seller}: ${states?.join()}, owed ${owed}, there ${there?.join()}`,
    )
  const { rows: sums } = await pool.query<{ here: number; there: number }>(
    `SELECT (SELECT coalesce(-sum(amount_cents), 0)::bigint FROM ledger_entries WHERE account ~ '^(provider|costs):') AS here,
      (SELECT coalesce(sum((body->>'cents')::bigint), 0)::bigint FROM sandbox.records
       WHERE kind = 'payout_item' AND body->>'status' = 'SUCCESS') AS there`,
  )
  const { here, there } = firstOf(sums)
  return here === there ? wrong : [...wrong, `the ledger paid out ${here} cents, the provider ${there}`]
}
