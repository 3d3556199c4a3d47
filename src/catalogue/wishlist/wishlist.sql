-- @name readSaved
SELECT coalesce(json_agg(x ORDER BY s.created_at DESC, s.product_id), '[]')::text AS json
FROM saved_products s CROSS JOIN LATERAL (
  SELECT c.*, iso_of(s.created_at) AS "savedAt" FROM brief_card c WHERE c.id = s.product_id) x
WHERE s.user_id = :userId AND s.removed_at IS NULL;

-- A product that is not for sale cannot be saved, but Undo can restore it.
-- @name saveProduct
WITH mine AS (SELECT * FROM saved_products WHERE user_id = :userId),
wanted AS (SELECT id FROM products WHERE id = :id AND (is_listed OR EXISTS (SELECT FROM mine WHERE product_id = :id))),
saved AS (
  INSERT INTO saved_products (user_id, product_id)
  SELECT :userId, id FROM wanted WHERE (SELECT count(*) FROM mine WHERE removed_at IS NULL AND product_id <> :id) < :most::int
  ON CONFLICT (user_id, product_id) DO UPDATE SET removed_at = NULL, created_at = CASE
    WHEN saved_products.removed_at < now() - interval '1 minute' THEN now() ELSE saved_products.created_at END
  RETURNING 1)
SELECT EXISTS (SELECT FROM wanted) AS is_wanted, EXISTS (SELECT FROM saved) AS is_saved;

-- Also deletes rows that were removed over a day ago.
-- @name removeSaved
WITH swept AS (
  DELETE FROM saved_products WHERE user_id = :userId AND product_id <> :id AND removed_at < now() - interval '1 day')
UPDATE saved_products SET removed_at = now() WHERE user_id = :userId AND product_id = :id AND removed_at IS NULL;
