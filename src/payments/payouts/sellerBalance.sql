-- Computes the balance in one snapshot of ledger and held sales. Entries without a payment are payouts. A disputed sale is
-- pending until the dispute ends, even if it was paid out. Refunds under way of available sales are no longer available.
-- @name readBalance
SELECT held.pending::bigint AS pending_cents, (ledger.owed - held.pending - back.cents)::bigint AS available_cents, ledger.paid_out::bigint AS paid_out_cents
FROM (SELECT coalesce(-sum(amount_cents), 0) AS owed, coalesce(sum(amount_cents) FILTER (WHERE payment_id IS NULL), 0) AS paid_out
  FROM ledger_entries WHERE account = :account) ledger,
(SELECT coalesce(sum(net), 0) AS pending FROM (
  SELECT net_cents(e) AS net FROM earnings e WHERE e.seller_id = :sellerId AND e.available_at > now()
  UNION ALL
  SELECT net_cents(e) FROM earnings e WHERE e.seller_id = :sellerId AND e.available_at <= now() AND e.is_disputed) one) held,
(SELECT coalesce(sum(n.amount_cents - e.fee_cents * n.amount_cents / e.gross_cents), 0) AS cents
  FROM refunds r JOIN refund_lines n ON n.refund_id = r.id JOIN earnings e ON e.order_line_id = n.order_line_id
  WHERE r.status = 'requested' AND e.seller_id = :sellerId AND e.available_at <= now()
    AND NOT e.is_disputed) back;

-- Locks the accounts in order until the transaction ends.
-- @name lockAccounts
-- @type lock: unknown
SELECT pg_advisory_xact_lock(hashtextextended(account, 0)) AS lock FROM unnest(:accounts::text[]) account;
