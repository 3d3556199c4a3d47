-- Completed refunds of the payment that bought the goods, oldest first.
-- @name findMadeRefunds
SELECT r.id, r.amount_cents + r.credit_cents AS amount_cents, r.updated_at AS at
FROM refunds r JOIN payments p ON p.id = r.payment_id
WHERE p.order_id = :orderId AND p.status IN ('captured', 'part_refunded', 'refunded') AND r.status = 'completed'
ORDER BY r.updated_at, r.id;

-- Takes the next number of a series. The series restarts each year (UTC). The dates of its numbers never go back.
-- @name takeNumber
UPDATE invoice_series s SET
  year = extract(year FROM greatest(s.last_at, c.moment) AT TIME ZONE 'UTC')::int,
  last_number = CASE WHEN s.year = extract(year FROM greatest(s.last_at, c.moment) AT TIME ZONE 'UTC') THEN s.last_number + 1 ELSE 1 END,
  last_at = greatest(s.last_at, c.moment)
FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS moment OFFSET 0) c
WHERE s.kind = :kind RETURNING s.year, s.last_number AS number, s.last_at AS at;

-- @name findPeople
SELECT u.id, u.email, u.first_name, u.last_name, shown_name(u, 'A member') AS name FROM users u WHERE u.id = ANY (:ids::uuid[]);

-- Finds the order of a receipt or refund if its buyer wants invoices in mails. Skips payments that bought no goods.
-- @name findOrderToAttach
-- @null orderId, refundId
SELECT o.id, o.user_id FROM orders o JOIN invoice_details d ON d.user_id = o.user_id
WHERE d.is_attached AND o.total_cents > 0 AND o.id IN (:orderId::uuid, (SELECT p.order_id FROM refunds r
  JOIN payments p ON p.id = r.payment_id WHERE r.id = :refundId::uuid AND p.status <> 'mismatched'));
