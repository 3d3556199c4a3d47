import type pg from 'pg'
import { type Database, inTransaction, type Tx } from '../kit/database.server.ts'
import type { Config } from '../kit/config.server.ts'
import { log } from '../kit/log/log.server.ts'
import { mailFinance } from '../moderation/moderation.mail.server.ts'
import { RULES } from './invariants.server.ts'
import { restRules } from './orderRules.server.ts'
import type { Rule, Scope } from './rule.server.ts'
import { type Breach, locate, PAGES } from './scope.server.ts'
import { sql } from 'kysely'
import { lastOf, only } from '../kit/values/required.ts'

// Each hour the check looks at what changed since the check before, at one part of 24 of everything else, and at what is
// still broken. A row that was changed outside the shop is therefore found within a day.

export const PARTS = 24
/** Some rules compare each row of a page with all others: 0.4 ms an order in pages of 100, 1.5 ms in pages of 1,000. */
const PAGE = 100
/** Changes beyond this wait for their part. */
const MAX_CHANGED = 20_000
const MAX_BREACHES = 100
/** Work that is not finished after this time is a breach. */
const TIMEOUT = '1 hour'
const LONG_TIMEOUT = '14 days'

export const SHOP_RULES: Rule[] = [...RULES, ...restRules(TIMEOUT, LONG_TIMEOUT)]

type Client = Pick<pg.Pool, 'query'>
type Place = { part: number; event: number; entry: number; nextEvent: number; nextEntry: number }
type Kind = Exclude<Scope, 'whole'>

/** Compares the first 32 bits: ids are random. The bound of a part belongs to the part below it. */
const boundOf = (part: number): string => {
  if (part === 0) return '00000000-0000-0000-0000-000000000000'
  const last = Math.floor((part * 2 ** 32) / PARTS) - 1
  return `${last.toString(16).padStart(8, '0')}-ffff-ffff-ffff-ffffffffffff`
}

/** What changed since the check before the last. $1 is the last order event seen, $2 the last ledger entry. */
export const CHANGED: Record<Kind, string> = {
  order: `SELECT order_id AS id FROM order_events WHERE id > $1
    UNION SELECT p.order_id FROM ledger_entries l JOIN payments p ON p.id = l.payment_id WHERE l.id > $2`,
  member: `SELECT DISTINCT substr(account, 8)::uuid AS id FROM ledger_entries
    WHERE id > $2 AND account ~ '^credit:[0-9a-f-]{36}$' AND $1::bigint IS NOT NULL`,
  transfer: `SELECT DISTINCT transfer_id AS id FROM ledger_entries WHERE id > $2 AND $1::bigint IS NOT NULL`,
  discount: `SELECT DISTINCT discount_id AS id FROM discount_uses
    WHERE order_id IN (SELECT order_id FROM order_events WHERE id > $1) AND $2::bigint IS NOT NULL`,
}

const KINDS = Object.keys(CHANGED) as Kind[]

/** All ids that this check looks at, in pages. */
async function* pagesOf(client: Client, kind: Kind, { part, event, entry }: Place): AsyncGenerator<string[]> {
  const { rows: changed } = await client.query<{ id: string }>(`${CHANGED[kind]} LIMIT ${MAX_CHANGED}`, [event, entry])
  if (changed.length === MAX_CHANGED) log.warn('the ledger check leaves some changes for their part', { kind })
  const { rows: broken } = await client.query<{ id: string }>(
    'SELECT DISTINCT subject AS id FROM ledger_breaches WHERE scope = $1 AND ended_at IS NULL',
    [kind],
  )
  const first = [...new Set([...changed, ...broken].map(({ id }) => id))]
  for (let start = 0; start < first.length; start += PAGE) yield first.slice(start, start + PAGE)
  const end = boundOf(part + 1)
  for (let after = boundOf(part); ;) {
    const { rows } = await client.query<{ id: string }>(PAGES[kind], [after, end, PAGE])
    if (rows.length > 0) yield rows.map(({ id }) => id)
    if (rows.length < PAGE) return
    after = lastOf(rows).id
  }
}

async function findBreaches(client: Client, place: Place): Promise<Breach[]> {
  const found = new Map<string, Breach>()
  const look = async (rule: Rule, ids: string[]) => {
    const left = MAX_BREACHES - found.size
    if (left <= 0) return
    for (const breach of await locate(client, rule, ids, left)) {
      const key = `${breach.rule} ${breach.scope} ${breach.subject}`
      const known = found.get(key)
      const violation = known && known.violation !== breach.violation ? `${known.violation}; ${breach.violation}` : null
      found.set(key, violation ? { ...breach, violation: violation.slice(0, 1000) } : breach)
    }
  }
  for (const rule of SHOP_RULES.filter(({ scope }) => scope === 'whole')) await look(rule, [])
  for (const kind of KINDS) {
    const rules = SHOP_RULES.filter(({ scope }) => scope === kind)
    for await (const ids of pagesOf(client, kind, place)) for (const rule of rules) await look(rule, ids)
  }
  return [...found.values()]
}

export type Checking = Database & { config: Pick<Config, 'storeName'>; publicUrl: string }

/** One check. Tells staff once of each new breach, and ends those that are mended. */
export async function checkLedger({ db, pool, config, publicUrl }: Checking): Promise<Breach[]> {
  const start = performance.now()
  const place = await readPlace(pool)
  const found = await findBreaches(pool, place)
  const fresh = await inTransaction(db, async (tx) => {
    const added = await record(tx, found)
    await sql`UPDATE ledger_checks SET part = (part + 1) % ${PARTS}, checked_at = now(),
      took_ms = ${Math.round(performance.now() - start)}, event_id_before = event_id, event_id = ${place.nextEvent},
      entry_id_before = entry_id, entry_id = ${place.nextEntry}`.execute(tx)
    if (added.length > 0) await mailStaff(tx, { config, publicUrl }, added, BROKEN(added.length))
    return added
  })
  for (const { rule, violation } of fresh) log.error('the ledger breaks a rule', { rule, violation })
  return fresh
}

async function readPlace(client: Client): Promise<Place> {
  const { rows } = await client.query<Place>(
    `SELECT part, event_id_before AS event, entry_id_before AS entry,
       (SELECT coalesce(max(id), 0) FROM order_events) AS "nextEvent",
       (SELECT coalesce(max(id), 0) FROM ledger_entries) AS "nextEntry" FROM ledger_checks`,
  )
  return only(rows)
}

/** Stores the breaches; answers those that were not there. After too many, some were not looked at, so none ends. */
async function record(tx: Tx, found: Breach[]): Promise<Breach[]> {
  const given = JSON.stringify(found)
  const { rows } = await sql<Breach>`
    WITH given AS (SELECT * FROM json_to_recordset(${given}::json) AS g (rule text, scope text, subject uuid, violation text)),
    ended AS (UPDATE ledger_breaches b SET ended_at = now()
      WHERE ${found.length < MAX_BREACHES} AND ended_at IS NULL AND scope <> 'report' AND NOT EXISTS (
      SELECT FROM given g WHERE (g.rule, g.scope, g.subject) = (b.rule, b.scope, b.subject))),
    told AS (UPDATE ledger_breaches b SET violation = g.violation FROM given g
      WHERE b.ended_at IS NULL AND (g.rule, g.scope, g.subject) = (b.rule, b.scope, b.subject))
    INSERT INTO ledger_breaches (rule, scope, subject, violation) SELECT * FROM given g WHERE NOT EXISTS (
      SELECT FROM ledger_breaches b WHERE b.ended_at IS NULL AND (g.rule, g.scope, g.subject) = (b.rule, b.scope, b.subject))
    RETURNING rule, scope, subject, violation`.execute(tx)
  return rows
}

const MAX_LINES = 20

const BROKEN = (count: number): Alert => ({
  subject: count === 1 ? 'The books break a rule' : `The books break ${count} rules`,
  intro: 'The hourly check of orders, payments and the ledger found what must not be:',
  advice: '`npm run shop -- ledger` checks everything again.',
})

type Alert = { subject: string; intro: string; advice: string }

export async function mailStaff(
  tx: Tx,
  checking: Pick<Checking, 'config' | 'publicUrl'>,
  fresh: Pick<Breach, 'rule' | 'violation'>[],
  { subject, intro, advice }: Alert,
) {
  const more = fresh.length - MAX_LINES
  await mailFinance(tx, checking, {
    key: `ledger:${crypto.randomUUID()}`,
    subject,
    lines: [
      intro,
      ...fresh.slice(0, MAX_LINES).map(({ rule, violation }) => `${rule}: ${violation}`),
      ...(more > 0 ? [`And ${more} more.`] : []),
      `Stop payouts until you know why. ${advice}`,
    ],
    action: { label: 'Open the staff pages', path: '/admin/orders' },
  })
}
