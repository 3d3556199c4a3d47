-- Paid lines of supplied products without codes from the stock.
-- @name insertRequests
-- @type lines: string
INSERT INTO supply_requests (order_line_id, payment_id, product_id, sku, quantity, ends_at)
SELECT l.id, :paymentId::uuid, y.product_id, y.sku, l.quantity, now() + y.window_minutes * interval '1 minute'
FROM json_to_recordset(:lines::json) AS l (id uuid, "productId" uuid, quantity int)
JOIN supplied_products y ON y.product_id = l."productId"
WHERE NOT EXISTS (SELECT FROM codes c WHERE c.order_line_id = l.id AND c.state = 'sold')
ON CONFLICT (order_line_id) DO NOTHING RETURNING order_line_id AS line_id;

-- @name endReturned
-- @type lines: string
UPDATE supply_requests y SET state = 'ended'
FROM json_to_recordset(:lines::json) AS r (id uuid, quantity int), earnings s
WHERE y.order_line_id = r.id AND s.order_line_id = r.id AND y.state = 'waiting'
  AND (r.quantity >= y.quantity OR s.returned_quantity >= y.quantity);

-- Requests that are due for a retry, and expired ones.
-- @name findWaiting
SELECT order_line_id AS line_id, ends_at <= now() AS is_over FROM supply_requests
WHERE state = 'waiting' AND (ends_at <= now() OR asked_at IS NULL OR asked_at < now() - least(tries, 10) * interval '30 seconds')
ORDER BY ends_at LIMIT 200;

-- @name readSupplies
SELECT p.id AS product_id, coalesce(o.title || ', ' || p.variant_name, p.title) AS title, y.sku, y.window_minutes AS minutes,
  (SELECT count(*)::int FROM supply_requests r WHERE r.product_id = p.id AND r.state = 'waiting') AS waiting
FROM supplied_products y JOIN products p ON p.id = y.product_id LEFT JOIN products o ON o.id = p.variant_of
ORDER BY lower(p.title), p.id LIMIT 1000;
