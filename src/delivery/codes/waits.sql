-- @name readWanted
SELECT s.is_sold_out, p.is_on_sale, p.has_variants,
  (SELECT count(*)::int FROM stock_waits w WHERE w.user_id = :userId) AS waits
FROM products p JOIN product_standing s ON s.id = p.id WHERE p.id = :productId;

-- @name findRestockedBundles
SELECT p.id FROM products p
WHERE p.delivery = 'bundle' AND p.is_listed AND EXISTS (SELECT FROM stock_waits w WHERE w.product_id = p.id);

-- @name takeWaits
-- @null email
DELETE FROM stock_waits w USING products p, users u
WHERE p.id = w.product_id AND u.id = w.user_id AND (w.product_id, w.user_id) IN (
  SELECT product_id, user_id FROM stock_waits WHERE product_id = :productId
    AND EXISTS (SELECT FROM products WHERE id = :productId AND is_on_sale)
  ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED)
RETURNING w.user_id, extract(epoch FROM w.created_at)::text AS at, p.title,
  CASE WHEN u.erased_at IS NULL AND u.mail_refused_at IS NULL THEN u.email END AS email;
