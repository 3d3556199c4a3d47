import type { Rule } from './rule.server.ts'

// Captured money that is neither a seller's nor gone: unused, disputed and returned money, and what a chain holds. Holds at
// every moment.

export const HELD_RULES: Rule[] = [
  {
    name: 'UNUSED',
    scope: 'order',
    text: `SELECT format('payment %s is %s, has %s cents left to give back, and the ledger keeps %s unused', p.id, p.status, rest, held) AS violation
      FROM payments p
      CROSS JOIN LATERAL (
        SELECT coalesce(-sum(amount_cents), 0) AS held FROM ledger_entries
        WHERE payment_id = p.id AND account ~ '^unused(:|$)') ledger
      CROSS JOIN LATERAL (
        SELECT CASE p.status WHEN 'mismatched' THEN
          greatest((array_agg(amount_cents ORDER BY created_at, id))[1], coalesce(sum(amount_cents) FILTER (WHERE status = 'completed'), 0))
          - coalesce(sum(amount_cents) FILTER (WHERE status = 'completed'), 0) ELSE 0 END AS rest
        FROM refunds WHERE payment_id = p.id) due
      WHERE coalesce(rest, 0) <> held`,
  },
  {
    name: 'DISPUTE',
    scope: 'order',
    text: `SELECT format('the ledger keeps %s cents of payment %s as disputed, and its disputes hold %s', kept, p.id, held) AS violation
      FROM payments p
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS kept FROM ledger_entries WHERE payment_id = p.id AND account = 'disputed') ledger
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(held_cents), 0) AS held FROM disputes WHERE payment_id = p.id) open
      WHERE kept <> held
    UNION ALL
      SELECT format('the sale of line %s is %s, and its payment has %s open disputes', e.order_line_id,
        CASE WHEN e.is_disputed THEN 'frozen' ELSE 'free' END, open)
      FROM earnings e CROSS JOIN LATERAL (
        SELECT count(*) AS open FROM disputes d WHERE d.order_id = e.order_id AND d.ended_at IS NULL AND d.stage <> 'warning') disputed
      WHERE e.is_disputed <> (open > 0)
    UNION ALL
      SELECT format('refunds returned %s cents of payment %s, which took %s', back, p.id, p.amount_cents)
      FROM payments p CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS back FROM refunds WHERE payment_id = p.id AND status = 'completed') made
      WHERE p.status <> 'mismatched' AND back > p.amount_cents`,
  },
  {
    name: 'CHAIN',
    scope: 'order',
    text: `SELECT format('the ledger keeps %s cents of USDC of payment %s, and its transfers leave %s', kept, p.id, arrived - back - sent) AS violation
      FROM payments p JOIN usdc_addresses a ON a.payment_id = p.id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS kept FROM ledger_entries
        WHERE payment_id = p.id AND account = 'provider:' || p.provider || ':' || p.mode) ledger
      CROSS JOIN LATERAL (
        SELECT floor(coalesce(sum(units), 0) / 10000) AS arrived FROM usdc_transfers
        WHERE address = a.address AND confirmed_at IS NOT NULL AND removed_at IS NULL) chain
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS back FROM refunds WHERE payment_id = p.id AND status = 'completed') refunded
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS sent FROM usdc_exceptions
        WHERE payment_id = p.id AND kind <> 'refund' AND resolution = 'returned') returned
      -- a due payment is leveled within seconds
      WHERE NOT a.is_due AND p.status NOT IN ('creating', 'created', 'capturing', 'declined') AND kept <> arrived - back - sent`,
  },
  {
    name: 'BOUNCED',
    scope: 'order',
    text: `SELECT format('banks returned %s cents of refunds of order %s, and %s became credit or wait', bounced, o.id, given + waiting) AS violation
      FROM orders o
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.amount_cents), 0) AS bounced FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE p.order_id = o.id AND r.bounced_at IS NOT NULL) refunded
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS given FROM credit_entries WHERE order_id = o.id AND kind = 'bounced') credit
      CROSS JOIN LATERAL (
        SELECT coalesce(-sum(l.amount_cents), 0) AS waiting FROM ledger_entries l JOIN payments p ON p.id = l.payment_id
        WHERE p.order_id = o.id AND l.account ~ '^bounced(:|$)') ledger
      WHERE bounced <> given + waiting`,
  },
  {
    name: 'RECLAIMED',
    scope: 'order',
    text: `SELECT format('staff took back %s cents of returned refunds of order %s, and its credit entries say %s', reclaimed, o.id, taken) AS violation
      FROM orders o
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.reclaimed_cents), 0) AS reclaimed FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE p.order_id = o.id) refunded
      CROSS JOIN LATERAL (
        SELECT coalesce(-sum(amount_cents), 0) AS taken FROM credit_entries WHERE order_id = o.id AND kind = 'reclaimed') credit
      WHERE reclaimed <> taken`,
  },
]
