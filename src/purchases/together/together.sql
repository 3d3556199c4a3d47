-- Counts the buyers of a product with its variants in the last `days` days.
-- @name countRecentBuyers
SELECT page_of(p) AS product_id, count(DISTINCT e.user_id)::int AS buyers
FROM entitlements e JOIN products p ON p.id = e.product_id AND p.seller_id <> e.user_id
WHERE is_sale(e) AND e.created_at > now() - :days::int * interval '1 day' GROUP BY 1;

-- Reads the newest `maxOrders` orders. Skips orders with more than `maxLines` lines.
-- @name readPairs
WITH recent AS MATERIALIZED (
  SELECT id, user_id FROM orders WHERE status = 'completed' ORDER BY created_at DESC, id DESC LIMIT :maxOrders::int),
lines AS MATERIALIZED (
  SELECT o.id, o.user_id, page_of(p) AS product_id, count(*) OVER (PARTITION BY o.id) AS lines
  FROM recent o JOIN order_lines l ON l.order_id = o.id AND l.seller_id <> o.user_id JOIN products p ON p.id = l.product_id),
pairs AS (
  SELECT a.product_id, b.product_id AS other_id, count(DISTINCT a.user_id) AS buyers
  FROM lines a JOIN lines b ON b.id = a.id AND b.product_id <> a.product_id
  WHERE a.lines <= :maxLines::int GROUP BY 1, 2 HAVING count(DISTINCT a.user_id) >= :minBuyers::int)
SELECT product_id, other_id, buyers::int FROM (
  SELECT *, row_number() OVER (PARTITION BY product_id ORDER BY buyers DESC, other_id) AS place FROM pairs) ranked
WHERE place <= :kept::int ORDER BY product_id;

-- @name deletePairs
DELETE FROM product_pairs WHERE product_id = ANY (:ids::uuid[]);

-- A product may have been deleted since the count.
-- @name insertPairs
INSERT INTO product_pairs (product_id, other_id, buyers)
SELECT n."productId", n."otherId", n.buyers
FROM json_to_recordset(:pairs::text::json) AS n ("productId" uuid, "otherId" uuid, buyers int)
JOIN products p ON p.id = n."productId" JOIN products o ON o.id = n."otherId";

-- @name deleteOtherPairs
DELETE FROM product_pairs WHERE product_id <> ALL (:ids::uuid[]);

-- @name readTogether
SELECT EXISTS (SELECT FROM products WHERE id = :id AND is_listed) AS is_listed,
  coalesce(json_agg(to_json(c) ORDER BY t.buyers DESC, c.id), '[]')::text AS json
FROM (SELECT k.other_id AS id, k.buyers FROM product_pairs k JOIN products o ON o.id = k.other_id
  WHERE k.product_id = :id AND o.is_listed ORDER BY k.buyers DESC, k.other_id LIMIT :limit::int) t
JOIN listed_card c ON c.id = t.id;
