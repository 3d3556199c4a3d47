import type { Rule } from './rule.server.ts'

// Captured money that is neither a seller's nor gone: unused money and disputed money. Holds at every moment.

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
        SELECT count(*) AS open FROM disputes d WHERE d.order_id = e.order_id AND d.ended_at IS NULL) disputed
      WHERE e.is_disputed <> (open > 0)
    UNION ALL
      SELECT format('refunds returned %s cents of payment %s, which took %s', back, p.id, p.amount_cents)
      FROM payments p CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS back FROM refunds WHERE payment_id = p.id AND status = 'completed') made
      WHERE p.status <> 'mismatched' AND back > p.amount_cents`,
  },
]
