import type pg from 'pg'
import type { Rule, Scope } from './rule.server.ts'
import { firstOf } from '../kit/values/required.ts'

// A rule is written for the whole shop. Here the same text looks at a few rows: common table expressions with the names of
// the tables hide all others, so the cost grows with `ids` and not with the shop.

const HIDING: Record<Exclude<Scope, 'whole'>, string> = {
  order: `WITH orders AS MATERIALIZED (SELECT * FROM public.orders WHERE id = ANY ($1::uuid[])),
    order_lines AS MATERIALIZED (SELECT * FROM public.order_lines WHERE order_id = ANY ($1::uuid[])),
    order_events AS MATERIALIZED (SELECT * FROM public.order_events WHERE order_id = ANY ($1::uuid[])),
    payments AS MATERIALIZED (SELECT * FROM public.payments WHERE order_id = ANY ($1::uuid[])),
    refunds AS MATERIALIZED (SELECT * FROM public.refunds WHERE payment_id = ANY (ARRAY(SELECT id FROM payments))),
    ledger_entries AS MATERIALIZED (SELECT * FROM public.ledger_entries WHERE payment_id = ANY (ARRAY(SELECT id FROM payments))),
    disputes AS MATERIALIZED (SELECT * FROM public.disputes WHERE order_id = ANY ($1::uuid[])),
    earnings AS MATERIALIZED (SELECT * FROM public.earnings WHERE order_id = ANY ($1::uuid[])),
    earning_returns AS MATERIALIZED (SELECT * FROM public.earning_returns WHERE order_id = ANY ($1::uuid[])),
    entitlements AS MATERIALIZED (SELECT * FROM public.entitlements WHERE order_line_id = ANY (ARRAY(SELECT id FROM order_lines))),
    gifts AS MATERIALIZED (SELECT * FROM public.gifts WHERE order_line_id = ANY (ARRAY(SELECT id FROM order_lines))
      OR id = ANY (ARRAY(SELECT gift_id FROM order_lines WHERE gift_id IS NOT NULL))),
    codes AS MATERIALIZED (SELECT * FROM public.codes WHERE order_line_id = ANY (ARRAY(SELECT id FROM order_lines))),
    licenses AS MATERIALIZED (SELECT * FROM public.licenses WHERE order_line_id = ANY (ARRAY(SELECT id FROM order_lines))),
    discount_uses AS MATERIALIZED (SELECT * FROM public.discount_uses WHERE order_id = ANY ($1::uuid[])),
    risk_holds AS MATERIALIZED (SELECT * FROM public.risk_holds WHERE order_id = ANY ($1::uuid[])),
    credit_entries AS MATERIALIZED (SELECT * FROM public.credit_entries WHERE order_id = ANY ($1::uuid[])),
    credit_bonuses AS MATERIALIZED (SELECT * FROM public.credit_bonuses WHERE order_id = ANY ($1::uuid[])),
    invoices AS MATERIALIZED (SELECT * FROM public.invoices WHERE order_id = ANY ($1::uuid[]))`,
  member: `WITH credit_accounts AS MATERIALIZED (SELECT * FROM public.credit_accounts WHERE user_id = ANY ($1::uuid[])),
    credit_entries AS MATERIALIZED (SELECT * FROM public.credit_entries WHERE user_id = ANY ($1::uuid[])),
    ledger_entries AS MATERIALIZED (SELECT * FROM public.ledger_entries
      WHERE account = ANY (ARRAY(SELECT 'credit:' || member FROM unnest($1::uuid[]) member)))`,
  transfer: `WITH ledger_entries AS MATERIALIZED (SELECT * FROM public.ledger_entries WHERE transfer_id = ANY ($1::uuid[]))`,
  discount: `WITH discounts AS MATERIALIZED (SELECT * FROM public.discounts WHERE id = ANY ($1::uuid[])),
    discount_uses AS MATERIALIZED (SELECT * FROM public.discount_uses WHERE discount_id = ANY ($1::uuid[]))`,
}

/** The ids after $1 up to $2, $3 at most, in order. */
export const PAGES: Record<Exclude<Scope, 'whole'>, string> = {
  order: 'SELECT id FROM orders WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3',
  member: 'SELECT user_id AS id FROM credit_accounts WHERE user_id > $1 AND user_id <= $2 ORDER BY user_id LIMIT $3',
  transfer:
    'SELECT DISTINCT transfer_id AS id FROM ledger_entries WHERE transfer_id > $1 AND transfer_id <= $2 ORDER BY transfer_id LIMIT $3',
  discount: 'SELECT id FROM discounts WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3',
}

type Client = Pick<pg.Pool, 'query'>

/** The statement that runs a rule on some rows; of a rule on the whole shop its own text. */
export const textOf = ({ scope, text }: Rule): string => (scope === 'whole' ? text : `${HIDING[scope]} ${text}`)

export async function findIn(client: Client, rule: Rule, ids: string[]): Promise<string[]> {
  const { rows } = await client.query<{ violation: string }>(textOf(rule), rule.scope === 'whole' ? [] : [ids])
  return rows.map(({ violation }) => violation)
}

export type Breach = { rule: string; scope: Scope; subject: string; violation: string }

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const NOBODY = '00000000-0000-0000-0000-000000000000'
const MAX_WORDS = 1000

/** Runs a rule for `ids` and finds the row of each breach. If a sentence names no row, bisects `ids`, for `most` sentences at most. */
export async function locate(client: Client, rule: Rule, ids: string[], most: number): Promise<Breach[]> {
  const found = await findIn(client, rule, ids)
  const { name, scope } = rule
  const breach = (subject: string, violations: string[]): Breach => ({
    ...{ rule: name, scope, subject, violation: violations.join('; ').slice(0, MAX_WORDS) },
  })
  if (found.length === 0) return []
  if (scope === 'whole') return gather(found, (sentence) => sentence.match(ID)?.[0] ?? NOBODY).slice(0, most)
  if (ids.length === 1) return [breach(firstOf(ids), found)]
  const among = new Set(ids)
  const nameOf = (sentence: string) => (sentence.match(ID) ?? []).find((id) => among.has(id))
  if (found.every((sentence) => nameOf(sentence))) return gather(found, (sentence) => nameOf(sentence)!).slice(0, most)
  const middle = ids.length >> 1
  const first = await locate(client, rule, ids.slice(0, middle), most)
  const second = first.length < most ? await locate(client, rule, ids.slice(middle), most - first.length) : []
  const both = [...first, ...second]
  // the breach needs rows of both halves: report it for the whole
  return both.length > 0 ? both : [breach(firstOf(ids), found)]

  function gather(sentences: string[], subjectOf: (sentence: string) => string): Breach[] {
    return [...Map.groupBy(sentences, subjectOf)].map(([subject, own]) => breach(subject, own))
  }
}
