import type pg from 'pg'
import { isBookable } from '../../payments/fees/book.server.ts'
import { providerAccount } from '../../payments/ledger/transfers.store.server.ts'
import { type Booked, type FeeLine, type ReportLine, REVERSAL } from '../../payments/ledger/report.ts'
import type { Provider } from '../../payments/provider.ts'
import { addDays, compareDay, type Difference } from './reconcile.rules.ts'
import { required } from '../../kit/values/required.ts'

/** `why`: the report could not be read, so nothing is known. */
export type Reconciled = { provider: string; day: string } & (
  | { kind: 'compared'; lines: ReportLine[]; fees: FeeLine[]; hasPending: boolean; differences: Difference[] }
  | { kind: 'unread'; why: string }
  | { kind: 'none' }
)

/** Compares what a provider says moved on a UTC day with the shop's books. Makes up to three requests. */
export async function reconcileDay(
  pool: Pick<pg.Pool, 'query'>,
  provider: Pick<Provider, 'name' | 'label' | 'mode' | 'report' | 'books' | 'disputes'>,
  day: string,
  now = Date.now(),
): Promise<Reconciled> {
  const about = { provider: provider.label, day }
  if (!provider.report) return { ...about, kind: 'none' }
  // books of the provider's own have its clock
  const around = provider.books ? [] : [addDays(day, -1), addDays(day, 1)]
  const days = [day, ...around].filter((one) => Date.parse(one) <= now)
  const reports = await Promise.all(days.map((one) => required(provider.report, 'the report of the provider')(one)))
  const unread = reports.find((report) => report.kind === 'unknown')
  if (unread) return { ...about, kind: 'unread', why: unread.why }
  const [own, ...others] = reports.filter((report) => report.kind === 'lines')
  const { lines, fees, hasPending } = own ?? { lines: [], fees: [], hasPending: true }
  const refs = lines.flatMap(({ ref, captureRef }) =>
    captureRef ? [ref, captureRef, `${REVERSAL}${captureRef}`] : [ref],
  )
  const { known, booked } = await (provider.books?.(day, refs) ?? readBooks(pool, provider, day, refs))
  const differences = compareDay({ lines, around: others.flatMap((other) => other.lines), known, booked })
  const unbooked = fees.filter((fee) => !isBookable(fee))
  differences.push(...unbooked.map((fee): Difference => ({ kind: 'unbooked_fee', fee })))
  return { ...about, kind: 'compared', lines, fees, hasPending, differences }
}

async function readBooks(
  pool: Pick<pg.Pool, 'query'>,
  { name, mode, disputes }: Pick<Provider, 'name' | 'mode' | 'disputes'>,
  day: string,
  refs: string[],
) {
  const known = await pool.query<Booked>(KNOWN, [name, refs])
  const account = providerAccount({ provider: name, mode })
  const booked = await pool.query<Booked>(BOOKED, [account, day, disputes?.reportedAt ?? 'opening'])
  return { known: known.rows, booked: booked.rows }
}

/** A payment of another amount than the order's took what its first refund gives back. */
const TAKEN = `CASE p.status WHEN 'mismatched' THEN coalesce(
  (SELECT r.amount_cents FROM refunds r WHERE r.payment_id = p.id ORDER BY r.created_at, r.id LIMIT 1), p.amount_cents)
  ELSE p.amount_cents END`

const LOST = `CASE d.state WHEN 'lost' THEN coalesce(d.lost_cents, d.amount_cents) END`

const KNOWN = `
  SELECT 'payment' AS kind, p.provider_capture_id AS ref, NULL AS "otherRef", ${TAKEN} AS "amountCents", p.currency, NULL::bigint AS "lostCents"
  FROM payments p WHERE p.provider = $1 AND p.provider_capture_id = ANY ($2::text[])
  UNION ALL
  SELECT 'refund', r.provider_refund_id, r.id::text, r.amount_cents, p.currency, NULL
  FROM refunds r JOIN payments p ON p.id = r.payment_id
  WHERE p.provider = $1 AND r.provider_refund_id = ANY ($2::text[]) AND r.status <> 'failed'
  UNION ALL
  SELECT 'payout', o.provider_payout_id, o.id::text, o.amount_cents, 'USD', NULL
  FROM payouts o JOIN payout_batches b ON b.id = o.batch_id
  WHERE b.provider = $1 AND (o.provider_payout_id = ANY ($2::text[]) OR o.id::text = ANY ($2::text[]))
  UNION ALL
  SELECT 'dispute', d.provider_dispute_id, p.provider_capture_id, d.amount_cents, p.currency, ${LOST}
  FROM disputes d JOIN payments p ON p.id = d.payment_id
  WHERE d.provider = $1 AND (d.provider_dispute_id = ANY ($2::text[]) OR p.provider_capture_id = ANY ($2::text[]))`

const IN_DAY = (moment: string) =>
  `${moment} >= ($2::date)::timestamp AT TIME ZONE 'UTC' AND ${moment} < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'`

const BOOKED = `
  WITH moved AS MATERIALIZED (
    SELECT * FROM ledger_entries l WHERE l.account = $1 AND ${IN_DAY('l.created_at')}
      -- the hold of a dispute, its end, and a refund that a bank returned are no payment and no refund
      AND NOT EXISTS (SELECT FROM ledger_entries d WHERE d.transfer_id = l.transfer_id AND (d.account IN ('disputed', 'bounced')
        OR (l.amount_cents > 0 AND d.amount_cents < 0 AND d.account ~ '^credit:[0-9a-f-]{36}$'))))
  SELECT DISTINCT 'payment' AS kind, p.provider_capture_id AS ref, NULL AS "otherRef", p.amount_cents AS "amountCents", p.currency, NULL::bigint AS "lostCents"
  FROM moved l JOIN payments p ON p.id = l.payment_id WHERE l.amount_cents > 0
  UNION ALL
  SELECT DISTINCT 'refund', r.provider_refund_id, r.id::text, r.amount_cents, p.currency, NULL::bigint
  FROM moved l JOIN payments p ON p.id = l.payment_id
  JOIN refunds r ON r.payment_id = p.id AND r.status = 'completed' AND ${IN_DAY('r.updated_at')}
  WHERE l.amount_cents < 0 AND NOT EXISTS (SELECT FROM disputes d WHERE d.refund_id = r.id)
  UNION ALL
  SELECT DISTINCT 'payout', o.provider_payout_id, o.id::text, o.amount_cents, 'USD', NULL::bigint
  FROM moved l JOIN ledger_entries e ON e.transfer_id = l.transfer_id AND e.account LIKE 'payouts:%'
  JOIN payouts o ON 'payouts:' || o.id = e.account
  WHERE l.payment_id IS NULL AND l.amount_cents < 0
  UNION ALL
  -- staff enter the outcome of disputes that the provider cannot find
  SELECT 'dispute', d.provider_dispute_id, p.provider_capture_id, d.amount_cents, p.currency, ${LOST}
  FROM disputes d JOIN payments p ON p.id = d.payment_id
  WHERE 'provider:' || p.provider || ':' || p.mode = $1 AND d.settled_by IS NULL AND d.stage <> 'warning'
    AND CASE $3 WHEN 'end' THEN d.refund_id IS NOT NULL AND ${IN_DAY('d.ended_at')} ELSE ${IN_DAY('d.opened_at')} END`
