import type { Rule } from './rule.server.ts'

// What sellers earned: sales, refunds and fees agree with the ledger at every moment.

export const EARNING_RULES: Rule[] = [
  {
    name: 'EARNINGS',
    scope: 'order',
    text: `SELECT format('%s earned %s cents with sales, and the ledger owes %s', coalesce(account, seller), coalesce(sold, 0), coalesce(owed, 0)) AS violation
      FROM (SELECT 'seller:' || seller_id AS seller, sum(gross_cents - fee_cents - returned_cents + returned_fee_cents) AS sold
        FROM earnings GROUP BY 1) sales
      FULL JOIN (SELECT account, -sum(amount_cents) AS owed FROM ledger_entries
        WHERE account LIKE 'seller:%' AND payment_id IS NOT NULL GROUP BY 1) ledger ON account = seller
      WHERE coalesce(sold, 0) <> coalesce(owed, 0)
    UNION ALL
      SELECT format('the shop kept %s cents of fees, and the ledger has %s', kept, owed)
      FROM (SELECT coalesce(sum(fee_cents - returned_fee_cents), 0) AS kept FROM earnings) fees,
        (SELECT coalesce(-sum(amount_cents), 0) AS owed FROM ledger_entries WHERE account = 'fees') ledger
      WHERE kept <> owed`,
  },
  {
    name: 'EARNINGS',
    scope: 'transfer',
    text: `SELECT format('transfer %s moves money of %s without a payment or a payout', transfer_id, account) AS violation
      FROM ledger_entries l WHERE account LIKE 'seller:%' AND payment_id IS NULL
        AND NOT EXISTS (SELECT FROM ledger_entries p WHERE p.transfer_id = l.transfer_id AND p.account LIKE 'payouts%')`,
  },
  {
    name: 'EARNINGS',
    scope: 'order',
    text: `SELECT format('a line of %s cents of the %s order %s earned %s', l.price_cents * l.quantity - l.discount_cents, o.status, o.id, coalesce(e.gross_cents::text, 'nothing')) AS violation
      FROM orders o JOIN order_lines l ON l.order_id = o.id LEFT JOIN earnings e ON e.order_line_id = l.id
      WHERE e.gross_cents IS DISTINCT FROM
        CASE WHEN o.status IN ('completed', 'refunded') AND l.gift_id IS NULL THEN l.price_cents * l.quantity - l.discount_cents END
    UNION ALL
      SELECT format('%s cents of the %s order %s are refunded, and %s of its sales', back, o.status, o.id, e.returned)
      FROM orders o
      JOIN (SELECT order_id, sum(returned_cents) AS returned FROM earnings GROUP BY 1) e ON e.order_id = o.id
      CROSS JOIN LATERAL (
        SELECT CASE o.status WHEN 'refunded' THEN o.total_cents ELSE coalesce(sum(r.amount_cents + r.credit_cents), 0) END AS back
        FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE p.order_id = o.id AND r.status = 'completed' AND p.status <> 'mismatched') made
      WHERE back <> e.returned
    UNION ALL
      SELECT format('refunds took %s cents and %s of fees from seller %s, and the sales %s and %s', coalesce(r.gross, 0), coalesce(r.fee, 0), seller_id, e.gross, e.fee)
      FROM (SELECT seller_id, sum(returned_cents) AS gross, sum(returned_fee_cents) AS fee FROM earnings GROUP BY 1) e
      FULL JOIN (SELECT seller_id, sum(gross_cents) AS gross, sum(fee_cents) AS fee FROM earning_returns GROUP BY 1) r USING (seller_id)
      WHERE (coalesce(e.gross, 0), coalesce(e.fee, 0)) <> (coalesce(r.gross, 0), coalesce(r.fee, 0))`,
  },
  {
    name: 'COSTS',
    scope: 'transfer',
    text: `SELECT format('transfer %s books %s cents of provider fees, and the reports have %s', transfer_id, booked, taken) AS violation
      FROM (SELECT transfer_id, sum(amount_cents) AS booked FROM ledger_entries WHERE account LIKE 'costs:%' GROUP BY 1) ledger
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0) AS taken FROM provider_fees WHERE transfer_id = ledger.transfer_id) fees
      WHERE booked <> taken`,
  },
  {
    name: 'ERASED',
    scope: 'whole',
    text: `SELECT format('the shop owes %s cents to the erased account %s, which has no payout under way', sum(-l.amount_cents), u.id) AS violation
      FROM users u JOIN ledger_entries l ON l.account = 'seller:' || u.id WHERE u.erased_at IS NOT NULL GROUP BY u.id HAVING sum(l.amount_cents) < 0`,
  },
]
