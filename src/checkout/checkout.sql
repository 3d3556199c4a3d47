-- @name readBuyer
SELECT u.email, u.erased_at, EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = u.id) AS has_push FROM users u WHERE u.id = :userId;

-- Copies of these products that the member owns or has in an unpaid order as a free line.
-- @name findCopy
SELECT product_id, true AS is_owned FROM open_copy WHERE user_id = :userId AND product_id = ANY (:productIds::uuid[])
UNION ALL
SELECT l.product_id, false FROM orders o JOIN order_lines l ON l.order_id = o.id
WHERE o.user_id = :userId AND o.status = 'pending' AND l.price_cents * l.quantity = l.discount_cents
  AND l.product_id = ANY (:productIds)
LIMIT 1;

-- Whether an order has cash-like goods, and the saved-method charges of other orders within a day. Includes orders
-- without a payment, because they may be about to charge the wallet.
-- @name readSpending
SELECT EXISTS (SELECT FROM order_lines l JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id
    WHERE l.order_id = :orderId AND c.is_cash) AS has_cash,
  (SELECT coalesce(sum(CASE WHEN EXISTS (SELECT FROM payments y WHERE y.order_id = o.id AND y.wallet_id IS NOT NULL)
      OR NOT EXISTS (SELECT FROM payments y WHERE y.order_id = o.id)
      THEN o.total_cents ELSE o.credit_cents END), 0)::bigint
    FROM orders o WHERE o.user_id = :userId AND o.id <> :orderId AND o.status <> 'failed'
      AND o.created_at > now() - interval '24 hours') AS day_cents;

-- Open payments of a provider, captures first. Held payments are due every ten minutes: the dashboard may refund them.
-- @name listIdle
SELECT p.id FROM payments p
WHERE p.provider = :provider AND p.status IN ('creating', 'created', 'capturing', 'declined')
  AND p.updated_at < now() - :idleSeconds::float8 * interval '1 second'
  AND (p.updated_at < now() - interval '10 minutes' OR NOT EXISTS (
    SELECT FROM risk_holds h WHERE h.order_id = p.order_id AND h.state = 'open' AND h.kind = 'hold'))
ORDER BY p.updated_at - CASE p.status WHEN 'capturing' THEN interval '10 minutes' ELSE interval '0' END LIMIT 500;
