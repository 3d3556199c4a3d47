-- Triggers maintain the total. `at` and `id` are of the last review of the previous page.
-- @name readPage
-- @null at, id, seller_id, next
WITH hits AS MATERIALIZED (
  SELECT id, order_line_id, created_at FROM reviews
  WHERE product_id = :productId AND hidden_at IS NULL AND (:id::uuid IS NULL OR (created_at, id) < (moment_of(:at), :id))
  ORDER BY created_at DESC, id DESC LIMIT :limit::int + 1),
page AS (SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS n FROM hits)
SELECT EXISTS (SELECT FROM products WHERE id = :productId AND is_listed) AS is_listed,
  (SELECT seller_id FROM products WHERE id = :productId AND deleted_at IS NULL) AS seller_id,
  coalesce(json_agg(x ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  coalesce((SELECT stars_1 + stars_2 + stars_3 + stars_4 + stars_5 FROM ratings WHERE product_id = :productId), 0) AS total,
  CASE WHEN count(*) > :limit THEN max(json_build_array(micros_of(h.created_at), h.id)::text) FILTER (WHERE n = :limit) END AS next
FROM page h CROSS JOIN LATERAL (
  SELECT c.*, EXISTS (SELECT FROM order_lines b WHERE b.id = h.order_line_id AND b.price_cents * b.quantity = b.discount_cents) AS "isFree"
  -- OFFSET 0 keeps the lookup by id, because the planner cannot know the limit of a page
  FROM review_card c WHERE c.id = h.id OFFSET 0) x;

-- Reads the reviews of a seller's products on sale, with one index lookup for each reviewed product.
-- @name readSellerPage
-- @null at, id, next
WITH seller AS (
  SELECT s.user_id AS id FROM seller_handles h JOIN storefronts s USING (user_id) WHERE h.handle = :handle AND s.opened_at IS NOT NULL),
goods AS MATERIALIZED (
  SELECT p.id, p.title, t.stars_1 + t.stars_2 + t.stars_3 + t.stars_4 + t.stars_5 AS reviews
  FROM products p JOIN ratings t ON t.product_id = p.id WHERE p.seller_id = (SELECT id FROM seller) AND p.is_listed),
hits AS MATERIALIZED (
  SELECT r.*, g.title FROM goods g CROSS JOIN LATERAL (
    SELECT id, product_id, order_line_id, created_at FROM reviews
    WHERE product_id = g.id AND hidden_at IS NULL AND (:id::uuid IS NULL OR (created_at, id) < (moment_of(:at), :id))
    ORDER BY created_at DESC, id DESC LIMIT :limit::int + 1) r
  WHERE g.reviews > 0 ORDER BY r.created_at DESC, r.id DESC LIMIT :limit + 1),
page AS (SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS n FROM hits)
SELECT EXISTS (SELECT FROM seller) AS is_open, coalesce(json_agg(x ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  (SELECT coalesce(sum(reviews), 0)::int FROM goods) AS total,
  CASE WHEN count(*) > :limit THEN max(json_build_array(micros_of(h.created_at), h.id)::text) FILTER (WHERE n = :limit) END AS next
FROM page h CROSS JOIN LATERAL (
  SELECT c.*, EXISTS (SELECT FROM order_lines b WHERE b.id = h.order_line_id AND b.price_cents * b.quantity = b.discount_cents) AS "isFree",
    json_build_object('id', h.product_id, 'title', h.title) AS product
  -- OFFSET 0 keeps the lookup by id, because the planner cannot know the limit of a page
  FROM review_card c WHERE c.id = h.id OFFSET 0) x;

-- Lists purchases that were not refunded, each with the member's review of the product.
-- @name readPurchases
-- @null productId, lineId
SELECT coalesce(json_agg(json_build_object('lineId', l.id, 'orderId', o.id, 'boughtAt', iso_of(o.completed_at),
    'delivery', CASE WHEN e.revoked_at IS NULL THEN l.delivery END, 'takenDown', r.taken_down,
    'review', (SELECT to_json(x) FROM (SELECT c.*, EXISTS (SELECT FROM order_lines b
        WHERE b.id = r.order_line_id AND b.price_cents * b.quantity = b.discount_cents) AS "isFree"
      FROM review_card c WHERE c.id = r.id) x)) ORDER BY o.completed_at DESC, l.id), '[]')::text AS json
FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN entitlements e ON e.order_line_id = l.id AND is_sale(e)
JOIN products p ON p.id = l.product_id
LEFT JOIN LATERAL (SELECT n.id, n.order_line_id, n.taken_down FROM reviews n
  WHERE n.user_id = :userId AND n.product_id = page_of(p) AND is_own(n) ORDER BY n.hidden_at NULLS FIRST LIMIT 1) r ON true
WHERE o.user_id = :userId AND o.status = 'completed' AND l.seller_id <> :userId AND l.gift_id IS NULL
  AND (:productId::uuid IS NULL OR l.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(:productId) w)))
  AND (:lineId::uuid IS NULL OR l.id = :lineId);

-- Serializes concurrent first reviews of a product from two purchases.
-- @name lockReviews
SELECT pg_advisory_xact_lock(hashtextextended('review ' || :userId::uuid || ' ' || :productId::uuid, 0))::text AS locked;

-- True if the line was bought and neither the line nor the order was refunded.
-- @name isBought
SELECT EXISTS (
  SELECT FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
  WHERE l.id = :lineId::uuid AND o.status = 'completed' AND is_sale(e)) AS is_bought;

-- Restores a review. It stays hidden if its purchase was refunded or its author has another review of the product.
-- @name restoreReview
UPDATE reviews r SET taken_down = NULL, hidden_at = CASE WHEN NOT EXISTS (
    SELECT FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
    WHERE l.id = r.order_line_id AND o.status = 'completed' AND is_sale(e))
  OR EXISTS (SELECT FROM reviews n
    WHERE n.user_id = r.user_id AND n.product_id = r.product_id AND n.id <> r.id AND n.hidden_at IS NULL) THEN r.hidden_at END
WHERE r.id = :id;
