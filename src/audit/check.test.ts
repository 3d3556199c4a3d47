import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { buy } from '../../test/buy.ts'
import { give } from '../../test/credit.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { refundOrder, runRefund } from '../aftersale/refunds/refund.server.ts'
import { getStatus } from '../monitoring/health/status.contract.ts'
import { issueInvoice } from '../purchases/invoices/invoices.contract.ts'
import { parseSqlFile } from '../kit/sql/sqlFile.rules.ts'
import { listBreaches } from './breaches.contract.ts'
import { checkBreaches, checkMoney, SUMS } from './breaches.server.ts'
import { checkLedger, PARTS } from './check.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '15', DATABASE_POOL: '10' })
let client: pg.Client
let staff: Person
const ids: Record<string, string> = {}

const check = () =>
  checkLedger({ ...open.shop.database, config: { storeName: 'Primo' }, publicUrl: open.shop.server.url })

/** Runs all hourly checks of a day. */
async function checkAll() {
  const found = []
  for (let i = 0; i < PARTS; i++) found.push(...(await check()))
  return found
}

const openBreaches = async () => {
  const { rows } = await open.shop.database.pool.query<{ rule: string; violation: string; subject: string }>(
    'SELECT rule, violation, subject FROM ledger_breaches WHERE ended_at IS NULL ORDER BY rule, subject',
  )
  return rows
}
const mailsTo = async ({ email }: Person) => {
  const { rows } = await open.shop.database.pool.query<{ body_text: string }>(
    `SELECT body_text FROM mails WHERE recipient = $1 AND key LIKE 'ledger:%' ORDER BY created_at`,
    [email],
  )
  return rows.map(({ body_text: text }) => text)
}

beforeAll(async () => {
  const { shop } = open
  staff = await shop.join({ role: 'finance' })
  const book = await addProduct(shop)
  const card = await addProduct(shop, { codes: ['ONE', 'TWO'] })
  for (const [name, product] of [
    ['paid', book],
    ['card', card],
    ['refunded', book],
  ] as const) {
    const buyer = await shop.join()
    const { id } = await buy(shop, buyer, product)
    ids[name] = id
    ids[`${name} buyer`] = buyer.id
    await buyer.call(issueInvoice, { id })
  }
  await give(shop, await shop.join(), 500)
  const refund = await refundOrder(shop.checkout, ids.refunded!, 'asked for')
  await runRefund(shop.checkout, refund.id)
  ids.second = '11111111-1111-4111-8111-111111111111'
  client = new pg.Client({ connectionString: shop.databaseUrl })
  await client.connect()
  // later checks read one part and the open breaches
  await check()
  await check()
})
afterAll(() => client.end())

const paymentOf = (name: string) => `(SELECT id FROM payments WHERE order_id = '{${name}}')`
const lineOf = (name: string) => `(SELECT id FROM order_lines WHERE order_id = '{${name}}')`
const without = (table: string, text: string) =>
  `ALTER TABLE ${table} DISABLE TRIGGER USER; ${text}; ALTER TABLE ${table} ENABLE TRIGGER USER`

type Plant = { rule: string; what: RegExp; plant: string; mend: string }
const plants: Plant[] = [
  {
    rule: 'INV1',
    what: /order {paid} is completed without a captured payment/,
    plant: `UPDATE payments SET status = 'expired' WHERE order_id = '{paid}'`,
    mend: `UPDATE payments SET status = 'captured' WHERE order_id = '{paid}'`,
  },
  {
    rule: 'INV2',
    what: /a line of the completed order {paid} is not delivered/,
    plant: `UPDATE entitlements SET revoked_at = now() WHERE order_line_id = ${lineOf('paid')}`,
    mend: `UPDATE entitlements SET revoked_at = NULL WHERE order_line_id = ${lineOf('paid')}`,
  },
  {
    rule: 'INV3',
    what: /a line of order {paid} is delivered to another customer/,
    plant: `UPDATE entitlements SET user_id = '{card buyer}' WHERE order_line_id = ${lineOf('paid')}`,
    mend: `UPDATE entitlements SET user_id = '{paid buyer}' WHERE order_line_id = ${lineOf('paid')}`,
  },
  {
    rule: 'INV7',
    what: /order {paid} of 1001 cents has lines of 1000 cents/,
    plant: `UPDATE orders SET total_cents = 1001 WHERE id = '{paid}'`,
    mend: `UPDATE orders SET total_cents = 1000 WHERE id = '{paid}'`,
  },
  {
    rule: 'INV8',
    what: /refund \S+ is still not made/,
    plant: `INSERT INTO refunds (payment_id, amount_cents, reason, created_at) VALUES (${paymentOf('paid')}, 1, 'planted', now() - interval '2 hours')`,
    mend: `DELETE FROM refunds WHERE reason = 'planted'`,
  },
  {
    rule: 'INV10',
    what: /order {paid} went from pending to failed when it was completed/,
    plant: `INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code) VALUES ('{paid}', 'pending', 'failed', 'planted', 'other')`,
    mend: without('order_events', `DELETE FROM order_events WHERE reason = 'planted'`),
  },
  {
    rule: 'HOLD',
    what: /the ledger has 5 cents of payment \S+ under review, and the payment is captured/,
    plant: `INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id) VALUES
      ('{second}', 'review', -5, ${paymentOf('paid')}), ('{second}', 'provider:paypal:sandbox', 5, ${paymentOf('paid')})`,
    mend: without('ledger_entries', `DELETE FROM ledger_entries WHERE transfer_id = '{second}'`),
  },
  {
    rule: 'COSTS',
    what: /transfer {second} books 5 cents of provider fees, and the reports have 0/,
    plant: `INSERT INTO ledger_entries (transfer_id, account, amount_cents) VALUES
      ('{second}', 'costs:paypal:sandbox', 5), ('{second}', 'provider:paypal:sandbox', -5)`,
    mend: without('ledger_entries', `DELETE FROM ledger_entries WHERE transfer_id = '{second}'`),
  },
  {
    rule: 'LEDGER',
    what: /transfer {second} comes to 5 cents instead of 0/,
    plant: without(
      'ledger_entries',
      `INSERT INTO ledger_entries (transfer_id, account, amount_cents) VALUES ('{second}', 'promotion:x', 5)`,
    ),
    mend: without('ledger_entries', `DELETE FROM ledger_entries WHERE transfer_id = '{second}'`),
  },
  {
    rule: 'CREDIT',
    what: /customer {paid buyer} has 151 cents of credit, and entries of 150/,
    plant: `UPDATE credit_accounts SET balance_cents = 151 WHERE user_id = '{paid buyer}'`,
    mend: `UPDATE credit_accounts SET balance_cents = 150 WHERE user_id = '{paid buyer}'`,
  },
  {
    rule: 'CREDIT',
    what: /5 cents of credit are set aside for pending orders of 0/,
    plant: `INSERT INTO ledger_entries (transfer_id, account, amount_cents)
      VALUES ('{second}', 'credit:held', -5), ('{second}', 'promotion:goodwill', 5)`,
    mend: without('ledger_entries', `DELETE FROM ledger_entries WHERE transfer_id = '{second}'`),
  },
  {
    rule: 'BONUS',
    what: /the first purchase {paid} earned 150 cents, 50 taken back, and its entries come to 150/,
    plant: `UPDATE credit_bonuses SET taken_back_cents = 50 WHERE order_id = '{paid}'`,
    mend: `UPDATE credit_bonuses SET taken_back_cents = 0 WHERE order_id = '{paid}'`,
  },
  {
    rule: 'EARNINGS',
    what: /earned 948 cents with sales, and the ledger owes 950; the shop kept 52 cents of fees, and the ledger has 50/,
    plant: `UPDATE earnings SET fee_cents = fee_cents + 2 WHERE order_id = '{card}'`,
    mend: `UPDATE earnings SET fee_cents = fee_cents - 2 WHERE order_id = '{card}'`,
  },
  {
    rule: 'DISCOUNT',
    what: /order {paid} has 1 cents of discount on its lines, and its codes took 0/,
    plant: `UPDATE order_lines SET discount_cents = 1 WHERE order_id = '{paid}'`,
    mend: `UPDATE order_lines SET discount_cents = 0 WHERE order_id = '{paid}'`,
  },
  {
    rule: 'DISCOUNT',
    what: /code {second} counts 3 uses of any, and orders have 0/,
    plant: `INSERT INTO discounts (id, seller_id, code, percent, is_for_all, is_first_only, uses)
      SELECT '{second}', seller_id, 'QUIETWEEK', 20, true, false, 3 FROM order_lines WHERE order_id = '{paid}'`,
    mend: `DELETE FROM discounts WHERE id = '{second}'`,
  },
  {
    rule: 'INVOICES',
    what: /the last number of invoice in \d+ is 3, and 4 was given/,
    plant: `UPDATE invoice_series SET last_number = 4 WHERE kind = 'invoice'`,
    mend: `UPDATE invoice_series SET last_number = 3 WHERE kind = 'invoice'`,
  },
  {
    rule: 'INVOICES',
    what: /no document has the number before INV-\d+-000003/,
    plant: without('invoices', `UPDATE invoices SET number = 20 WHERE order_id = '{card}'`),
    mend: without('invoices', `UPDATE invoices SET number = 2 WHERE order_id = '{card}'`),
  },
]

const fill = (text: string) => text.replace(/\{([a-z ]+)\}/g, (_, name: string) => ids[name]!)

test('finds nothing in a correct shop, and checks each part within a day', async () => {
  expect(await checkAll()).toEqual([])
  const { rows } = await open.shop.database.pool.query<{ part: number; took: number }>(
    "SELECT part, took_ms AS took FROM ledger_checks WHERE checked_at > now() - interval '1 minute'",
  )
  // two checks ran before
  expect(rows).toMatchObject([{ part: 2 }])
  expect(await checkBreaches(open.shop.database.pool)).toMatchObject({ grade: 'ok', says: 'no rule is broken' })
  expect(await checkMoney(client)).toMatchObject({ grade: 'ok' })
})

test.each(plants)(
  'alerts staff once of a breach of $rule, and ends it when it is fixed: $what',
  async ({ rule, what, plant, mend }) => {
    const before = (await mailsTo(staff)).length
    await client.query(fill(plant))
    try {
      const found = await checkAll()
      const own = found.filter((breach) => breach.rule === rule && new RegExp(fill(what.source)).test(breach.violation))
      expect(own.length, JSON.stringify(found)).toBe(1)
      const told = await mailsTo(staff)
      expect(told.slice(before).join()).toMatch(new RegExp(`${rule}: .*${fill(what.source)}`))
      expect(await checkAll()).toEqual([])
      expect((await mailsTo(staff)).length).toBe(told.length)
      const shown = await staff.call(listBreaches, {})
      expect(shown).toContainEqual(
        expect.objectContaining({ rule, violation: expect.stringMatching(fill(what.source)) }),
      )
      expect(await checkBreaches(open.shop.database.pool)).toMatchObject({ grade: 'fail' })
      if (SUMS.includes(rule)) expect(await checkMoney(client)).toMatchObject({ grade: 'fail' })
    } finally {
      await client.query(fill(mend))
    }
    // each check reads open breaches again
    await check()
    expect(await openBreaches()).toEqual([])
    expect(await staff.call(listBreaches, {})).toEqual([])
  },
)

test('waits longer for refunds at the provider and refunds that need an address', async () => {
  const plant = (id: string, minutes: number) =>
    client.query(
      `INSERT INTO refunds (payment_id, amount_cents, reason, provider_refund_id, created_at)
       SELECT id, 1, 'planted', $1, now() - $2 * interval '1 minute' FROM payments WHERE order_id = $3`,
      [id, minutes, ids.paid],
    )
  try {
    await plant('HAS-IT', 13 * 24 * 60)
    expect(await check()).toEqual([])
    await plant('LOST', 15 * 24 * 60)
    expect(await check()).toMatchObject([{ rule: 'INV8' }])
  } finally {
    await client.query(`DELETE FROM refunds WHERE reason = 'planted'`)
    await check()
  }
})

test('ends no breach while there are too many rows to check', async () => {
  await client.query(`UPDATE orders SET total_cents = 1001 WHERE id = '${ids.card}'`)
  const rule = async () => (await openBreaches()).filter((breach) => breach.rule === 'INV7')
  try {
    await checkAll()
    expect(await rule()).toHaveLength(1)
    await client.query(
      `INSERT INTO refunds (payment_id, amount_cents, reason, created_at)
       SELECT id, 1, 'planted', now() - interval '2 hours' FROM payments, generate_series(1, 120) WHERE order_id = $1`,
      [ids.paid],
    )
    expect(await check()).toHaveLength(100)
    expect(await rule()).toHaveLength(1)
  } finally {
    await client.query(`UPDATE orders SET total_cents = 1000 WHERE id = '${ids.card}'`)
    await client.query(`DELETE FROM refunds WHERE reason = 'planted'`)
  }
  await check()
  expect(await openBreaches()).toEqual([])
})

test('checks rows changed by the shop at once', async () => {
  await checkAll()
  const buyer = await open.shop.join()
  const { id } = await buy(open.shop, buyer, await addProduct(open.shop))
  await client.query(`UPDATE earnings SET fee_cents = fee_cents + 1 WHERE order_id = '${id}'`)
  const found = await check()
  expect(found).toMatchObject([{ rule: 'EARNINGS', subject: id }])
  await client.query(`UPDATE earnings SET fee_cents = fee_cents - 1 WHERE order_id = '${id}'`)
  await check()
  expect(await openBreaches()).toEqual([])
})

test('shows breaches to finance staff, only the status to everyone else', async () => {
  const member = await open.shop.join()
  const support = await open.shop.join({ role: 'support' })
  for (const person of [member, support])
    await expect(person.call(listBreaches, {})).rejects.toMatchObject({ status: 403 })
  expect(await open.shop.call(getStatus, {})).toContainEqual({ name: 'ledger', grade: 'ok' })
  await client.query(`UPDATE ledger_checks SET checked_at = now() - interval '4 hours'`)
  expect(await checkBreaches(open.shop.database.pool)).toMatchObject({ grade: 'warn', says: 'not checked for 4 hours' })
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}
/** Returns the tables and indexes that a plan scans in full. */
const scansOf = (plan: Plan): string[] => {
  const isWhole = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(plan['Node Type']) && !plan['Index Cond']
  const read = plan['Index Name'] ?? plan['Relation Name']
  return [...(isWhole && read ? [read] : []), ...(plan.Plans ?? []).flatMap(scansOf)]
}
/** Returns indexes of open work, and tables with a few rows for each kind of document. */
const findSmall = async () => {
  const { rows } = await client.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL',
  )
  return new Set([...rows.map(({ name }) => name), 'invoice_series'])
}

test('scans no large table with any statement of the check', async () => {
  const hourly = parseSqlFile(readFileSync(new URL('audit.sql', import.meta.url), 'utf8')).filter(
    ({ name }) => name !== 'findFaults',
  )
  const values: Record<string, unknown> = {
    ...{ ids: Array.from({ length: 2 }, () => crypto.randomUUID()), hours: 1, longHours: 9, event: 1, entry: 1 },
    ...{ after: '00000000-0000-0000-0000-000000000000', end: '11111111-1111-4111-8111-111111111111', max: 1000 },
  }
  await client.query('BEGIN')
  for (const kind of ['seqscan', 'hashjoin', 'mergejoin']) await client.query(`SET LOCAL enable_${kind} = off`)
  const small = await findSmall()
  const found: string[] = []
  for (const { name, text, parameters } of hourly) {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      parameters.map((parameter) => values[parameter]),
    )
    const scans = scansOf(rows[0]!['QUERY PLAN'][0]!.Plan).filter((read) => !small.has(read))
    found.push(...scans.map((read) => `${name}: ${read}`))
  }
  await client.query('ROLLBACK')
  expect(found).toEqual([])
})
