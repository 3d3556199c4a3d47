import { readFileSync } from 'node:fs'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { compiled, type Tx } from '../kit/database.server.ts'
import type { RiskDecisionsTable } from '../kit/tables.ts'
import { declinesSince } from './blocks.server.ts'
import { type Facts, judge } from './score.rules.ts'
import { asVersioned, type SavedWeights } from './weights.server.ts'

// Well-known hosts of disposable mailboxes. One hint among several, so a short list suffices.
const DISPOSABLE = new Set(
  readFileSync(new URL('disposableMail.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
)

function isDisposableMail(email: string): boolean {
  const labels = email.toLowerCase().split('@').at(-1)!.split('.')
  return labels.some((_, i) => DISPOSABLE.has(labels.slice(i).join('.')))
}

export type Payer = { instrument: string | null; country: string | null; isVerified: boolean | null }

type DecisionInput = {
  orderId: string
  userId: string
  /** Where the buyer is; null takes the place of the last judgement, because jobs and webhooks carry no address. */
  place: Place | null
  payer: Payer
}
type Place = { network: string | null; country: string | null }

export async function decideOn(tx: Tx, stage: 'start' | 'paid', asked: DecisionInput) {
  return recordDecision(tx, stage, asked, await collectFacts(tx, asked))
}

export type RiskFacts = Awaited<ReturnType<typeof collectFacts>>

export async function recordDecision(
  tx: Tx,
  stage: 'start' | 'paid',
  { orderId, userId, payer }: DecisionInput,
  collected: RiskFacts,
) {
  const { facts, weights, version, network, country, rushProductId } = collected
  const judgement = judge(facts, weights)
  const told = [orderId, userId, stage, judgement.decision, judgement.score, JSON.stringify(judgement.reasons)] as const
  const found = [JSON.stringify(facts), version, network, payer.instrument, country, rushProductId] as const
  const [row] = await insertDecision(tx, ...told, ...found)
  return { id: row!.id, facts, weights, ...judgement }
}

type Row = Insertable<RiskDecisionsTable>

const insertDecision = compiled(
  (
    db,
    orderId: string,
    userId: string,
    stage: Row['stage'],
    decision: Row['decision'],
    score: number,
    reasons: string,
    facts: string,
    weightsVersion: number,
    network: string | null,
    instrument: string | null,
    country: string | null,
    rushProductId: string | null,
  ) =>
    db
      .insertInto('riskDecisions')
      .values({
        ...{ orderId, userId, stage, decision, score, reasons, facts, weightsVersion },
        ...{ network, instrument, country, rushProductId },
      })
      .returning('id'),
)

/** The buyer's network at the last judgement. */
export async function lastNetworkOf(tx: Tx, orderId: string): Promise<string | null> {
  const { rows } = await sql<Place>`${lastPlace(orderId)}`.execute(tx)
  return rows[0]?.network ?? null
}

const lastPlace = (orderId: string) => sql<Place>`SELECT network, country FROM risk_decisions
  WHERE order_id = ${orderId}::uuid ORDER BY created_at DESC LIMIT 1`

/** The facts of a purchase and the weights in force. `rushProductId`: the cash-like product a new account buys most of. */
export async function collectFacts(tx: Tx, asked: DecisionInput) {
  const { email, productId, network, country, isHeld, newest, ...counted } = await readFacts(tx, asked)
  const facts: Facts = {
    ...counted,
    isMailDisposable: isDisposableMail(email),
    visitorCountry: country,
    payerCountry: asked.payer.country,
    isPayerVerified: asked.payer.isVerified,
  }
  const rushProductId = facts.accountAgeHours < 24 ? productId : null
  return { facts, network, country, isHeld, rushProductId, ...asVersioned(newest) }
}

type Counted = Omit<Facts, 'isMailDisposable' | 'visitorCountry' | 'payerCountry' | 'isPayerVerified'> &
  Place & { email: string; productId: string | null; isHeld: boolean; newest: SavedWeights | null }

/**
 * One statement of bounded parts: the account with this order, the orders of its last day and its old ones; declines,
 * browser hints, and other accounts with the same network, instrument or product. An opened payment window does not count
 * as a purchase of others: otherwise a stranger could raise the score of a whole network.
 */
async function readFacts(tx: Tx, { orderId, userId, place, payer: { instrument } }: DecisionInput): Promise<Counted> {
  const [facts] = place
    ? await readFactsAt(tx, orderId, userId, instrument, place.network, place.country)
    : await readFactsLater(tx, orderId, userId, instrument)
  return facts!
}

const readFactsAt = compiled(
  (_, orderId: string, userId: string, instrument: string | null, network: string | null, country: string | null) =>
    factsOf(orderId, userId, instrument, sql`SELECT ${network}::text AS network, ${country}::text AS country`),
)
const readFactsLater = compiled((_, orderId: string, userId: string, instrument: string | null) =>
  factsOf(orderId, userId, instrument, lastPlace(orderId)),
)

function factsOf(orderId: string, userId: string, instrument: string | null, place: RawBuilder<unknown>) {
  const others = sql`user_id <> ${userId}::uuid`
  return sql<Counted>`
    WITH place AS MATERIALIZED (
      ${place}),
    bought AS MATERIALIZED (
      SELECT o.id, o.created_at > now() - interval '1 hour' AS is_fresh
      FROM orders o
      WHERE o.user_id = ${userId}::uuid AND o.created_at > now() - interval '24 hours' AND o.id <> ${orderId}::uuid
        AND o.source <> 'gift' AND (o.status = 'completed' OR EXISTS (
          SELECT FROM payments y WHERE y.order_id = o.id AND y.status = 'capturing'))
      ORDER BY o.created_at DESC LIMIT 200),
    wanted AS MATERIALIZED (
      SELECT l.product_id, l.quantity, l.price_cents * l.quantity - l.discount_cents AS cents, l.order_id = ${orderId}::uuid AS is_now,
        c.is_cash
      FROM (SELECT ${orderId}::uuid AS id UNION ALL SELECT id FROM bought) o
      JOIN order_lines l ON l.order_id = o.id JOIN products p ON p.id = l.product_id
      JOIN categories c ON c.id = p.category_id),
    copies AS MATERIALIZED (
      SELECT product_id, sum(quantity)::int AS copies FROM wanted WHERE is_cash
      GROUP BY product_id HAVING bool_or(is_now) ORDER BY copies DESC, product_id LIMIT 1)
    SELECT u.email, floor(extract(epoch FROM now() - u.created_at) / 3600)::int AS "accountAgeHours",
      (SELECT coalesce(sum(cents), 0)::bigint FROM wanted) AS "dayCents",
      (SELECT coalesce(sum(cents) FILTER (WHERE is_cash), 0)::bigint FROM wanted) AS "dayCashCents",
      coalesce(c.copies, 0) AS copies, c.product_id AS "productId",
      (SELECT count(*)::int + 1 FROM bought WHERE is_fresh) AS "ordersHour",
      (SELECT count(*)::int FROM (
        SELECT FROM orders WHERE user_id = ${userId}::uuid AND created_at > now() - interval '24 hours'
          AND id <> ${orderId}::uuid AND status = 'failed' LIMIT 200) failed) AS "unpaidDay",
      least(3, old.purchases)::int AS "settledOld", old.cents AS "settledOldCents", declines.*,
      (SELECT network FROM place) AS network, (SELECT country FROM place) AS country,
      (SELECT count(DISTINCT user_id)::int FROM (
        SELECT d.user_id FROM risk_decisions d JOIN users n ON n.id = d.user_id
        WHERE d.network = (SELECT network FROM place) AND d.stage = 'paid' AND d.created_at > now() - interval '24 hours'
          AND d.${others} AND n.created_at > now() - interval '7 days' ORDER BY d.created_at DESC LIMIT 500) near) AS "networkAccounts",
      (SELECT count(DISTINCT user_id)::int FROM (
        SELECT user_id FROM risk_decisions WHERE instrument = ${instrument} AND stage = 'paid' AND ${others}
          AND created_at > now() - interval '30 days' ORDER BY created_at DESC LIMIT 500) shared) AS "instrumentAccounts",
      (SELECT count(DISTINCT user_id)::int FROM (
        SELECT user_id FROM risk_decisions WHERE rush_product_id = c.product_id AND ${others}
          AND created_at > now() - interval '1 hour' ORDER BY created_at DESC LIMIT 200) wanting) AS rush,
      (SELECT count(*)::int FROM disputes WHERE user_id = ${userId}::uuid AND state = 'lost'
        AND coalesce(lost_cents, amount_cents) >= amount_cents
        AND ended_at > now() - interval '1 year') AS "lostDisputes",
      (SELECT least(100, coalesce(sum(CASE severity
          WHEN 'critical' THEN 40 WHEN 'high' THEN 25 WHEN 'medium' THEN 15 ELSE 5 END), 0))::int
        FROM risk_hints WHERE user_id = ${userId}::uuid AND received_at > now() - interval '30 minutes') AS hints,
      EXISTS (SELECT FROM risk_holds WHERE user_id = ${userId}::uuid AND resolved_how = 'confirmed'
        AND resolved_at > now() - interval '1 hour') AS "isConfirmed",
      EXISTS (SELECT FROM risk_holds WHERE order_id = ${orderId}::uuid AND kind = 'hold') AS "isHeld",
      (SELECT to_json(w) FROM (SELECT version, weights FROM risk_weights ORDER BY version DESC LIMIT 1) w) AS newest
    FROM users u LEFT JOIN copies c ON true, (
      SELECT count(*) AS purchases, coalesce(sum(total_cents - credit_cents), 0)::bigint AS cents FROM (
        SELECT total_cents, credit_cents FROM orders WHERE user_id = ${userId}::uuid AND status = 'completed' AND total_cents > 0
          AND created_at < now() - interval '60 days' AND completed_at < now() - interval '60 days'
        ORDER BY created_at LIMIT 50) settled) old, (
      SELECT count(*) FILTER (WHERE created_at > now() - interval '10 minutes')::int AS "declinesTenMinutes",
        count(*) FILTER (WHERE created_at > now() - interval '24 hours')::int AS "declinesDay",
        count(DISTINCT instrument)::int AS "instrumentsWeek"
      FROM risk_declines WHERE user_id = ${userId}::uuid AND created_at > ${declinesSince(userId)}) declines
    WHERE u.id = ${userId}::uuid`
}
