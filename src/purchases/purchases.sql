-- Returns one order if `id` is set, otherwise the page after the order `after`. `next` is the cursor of the next page.
-- The list omits unpaid failed orders after a day. The total never counts them.
-- @name readOrders
-- @null id, after, status, next
WITH hits AS MATERIALIZED (
  SELECT o.id, o.created_at FROM orders o
  WHERE o.user_id = :userId AND (:status::text IS NULL OR o.status = :status)
    AND CASE WHEN :id::uuid IS NOT NULL THEN o.id = :id
      ELSE NOT (o.status = 'failed' AND o.updated_at < now() - interval '1 day' AND o.id IN (SELECT u.id FROM unpaid_order u WHERE u.id = o.id)) END
    AND (:after::uuid IS NULL OR (o.created_at, o.id) < (
      SELECT f.created_at, f.id FROM orders f WHERE f.id = :after AND f.user_id = :userId))
  ORDER BY o.created_at DESC, o.id DESC LIMIT :limit::int + 1),
page AS (SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS n FROM hits)
SELECT coalesce(json_agg(s.json ORDER BY p.n) FILTER (WHERE p.n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(p.id ORDER BY p.n))[:limit] END AS next,
  (SELECT count(*)::int FROM orders WHERE user_id = :userId)
    - (SELECT count(*)::int FROM unpaid_order WHERE user_id = :userId) AS total
FROM page p JOIN shown_order s ON s.id = p.id;

-- @name readSums
SELECT json_build_object('total', total, 'completed', completed, 'spent', decimal_of(spent))::text AS json
FROM purchase_sums(:userId::uuid);
