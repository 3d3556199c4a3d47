import type { Rule } from './rule.server.ts'

// Store credit is money that the shop owes, so these rules hold at every moment.

export const CREDIT_RULES: Rule[] = [
  {
    name: 'CREDIT',
    scope: 'member',
    text: `SELECT format('customer %s has %s cents of credit, and entries of %s', a.user_id, a.balance_cents, coalesce(sum(e.amount_cents), 0)) AS violation
      FROM credit_accounts a LEFT JOIN credit_entries e ON e.user_id = a.user_id
      GROUP BY a.user_id, a.balance_cents HAVING a.balance_cents <> coalesce(sum(e.amount_cents), 0)
    UNION ALL
      SELECT format('customer %s has %s cents of credit, and the ledger owes %s', a.user_id, a.balance_cents, -coalesce(sum(l.amount_cents), 0))
      FROM credit_accounts a LEFT JOIN ledger_entries l ON l.account = 'credit:' || a.user_id
      GROUP BY a.user_id, a.balance_cents HAVING a.balance_cents <> -coalesce(sum(l.amount_cents), 0)
    UNION ALL
      SELECT format('customer %s spent credit down to %s cents', user_id, after)
      FROM (SELECT *, sum(amount_cents) OVER (PARTITION BY user_id ORDER BY id) AS after FROM credit_entries) step
      WHERE kind = 'spent' AND after < 0`,
  },
  {
    name: 'CREDIT',
    scope: 'order',
    text: `SELECT format('the %s order %s uses %s cents of credit: %s are taken and %s given back', status, id, credit_cents, taken, back) AS violation
      FROM orders o
      CROSS JOIN LATERAL (
        SELECT coalesce(-sum(amount_cents) FILTER (WHERE kind IN ('spent', 'returned')), 0) AS taken,
          coalesce(sum(amount_cents) FILTER (WHERE kind = 'refunded'), 0) AS back
        FROM credit_entries WHERE order_id = o.id) moved
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(CASE p.provider WHEN 'store credit' THEN r.amount_cents ELSE r.credit_cents END), 0) AS refunded
        FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE p.order_id = o.id AND r.status = 'completed') made
      WHERE taken <> CASE status WHEN 'failed' THEN 0 ELSE credit_cents END
        OR back <> CASE status WHEN 'refunded' THEN credit_cents WHEN 'completed' THEN refunded ELSE 0 END`,
  },
  {
    name: 'CREDIT',
    scope: 'whole',
    text: `SELECT format('%s cents of credit are set aside for pending orders of %s', held, wanted) AS violation
      FROM (SELECT (SELECT -coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE account = 'credit:held') AS held,
        (SELECT coalesce(sum(credit_cents), 0) FROM orders WHERE status = 'pending') AS wanted) sums
      WHERE held <> wanted`,
  },
  {
    name: 'BONUS',
    scope: 'order',
    text: `SELECT format('the first purchase %s earned %s cents, %s taken back, and its entries come to %s', b.order_id, b.amount_cents, b.taken_back_cents, moved.cents) AS violation
      FROM credit_bonuses b CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS cents FROM credit_entries e
        WHERE e.order_id = b.order_id AND e.user_id = b.user_id AND e.kind IN ('earned', 'taken_back')) moved
      WHERE b.amount_cents - b.taken_back_cents <> moved.cents
    UNION ALL
      SELECT format('order %s earned a bonus and is no first purchase', order_id) FROM credit_entries e
      WHERE kind = 'earned' AND NOT EXISTS (SELECT FROM credit_bonuses b WHERE b.order_id = e.order_id AND b.user_id = e.user_id)
    UNION ALL
      SELECT format('the %s order %s keeps %s cents of its bonus', o.status, o.id, b.amount_cents - b.taken_back_cents)
      FROM credit_bonuses b JOIN orders o ON o.id = b.order_id
      WHERE o.status <> 'completed' AND b.amount_cents > b.taken_back_cents`,
  },
]
