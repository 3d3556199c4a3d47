-- @name readSome
SELECT id, title, brief, category_id, category, cents, rated, age, buyers FROM findable_product WHERE id = ANY (:ids::uuid[]);

-- The products with the most buyers first.
-- @name readMostBought
SELECT id, title, brief, category_id, category, cents, rated, age, buyers FROM findable_product
ORDER BY buyers DESC, created_at DESC, id LIMIT :most::int;

-- @name readCategories
SELECT id, name FROM categories ORDER BY id;

-- Product facts for answers. `left` counts the codes in stock.
-- @name readFacts
-- @null stars, left
SELECT p.id, p.title, p.price_cents AS cents, p.suggested_cents AS suggested,
  min_cents(p, (SELECT count(*) FROM bundle_parts k WHERE k.bundle_id = p.id)) AS least, p.category_id, c.name AS category,
  coalesce(brief(p.description), '') AS brief,
  (SELECT shown_name(u, 'a Primo seller') FROM users u WHERE u.id = p.seller_id) AS seller, r.stars, coalesce(r.reviews, 0) AS reviews, coalesce(r.samples, 0) AS samples, p.delivery, p.has_variants,
  p.has_variants AND coalesce(p.most_cents, p.price_cents) > p.price_cents AS is_from, y.is_supplied,
  CASE WHEN p.delivery = 'code' AND NOT p.has_variants AND NOT y.is_supplied THEN
    (SELECT count(*)::int FROM codes c WHERE c.product_id = p.id AND is_free_code(c)) END AS left
FROM products p JOIN categories c ON c.id = p.category_id
CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM supplied_products s WHERE s.product_id = p.id) AS is_supplied) y
LEFT JOIN LATERAL (
  SELECT n.reviews, t.samples, round((t.stars_1 + 2 * t.stars_2 + 3 * t.stars_3 + 4 * t.stars_4 + 5 * t.stars_5)::numeric
    / nullif(n.reviews, 0), 1)::text AS stars
  FROM ratings t CROSS JOIN LATERAL (SELECT t.stars_1 + t.stars_2 + t.stars_3 + t.stars_4 + t.stars_5 AS reviews) n
  WHERE t.product_id = p.id) r ON true
WHERE p.id = ANY (:ids::uuid[]) AND p.is_listed
ORDER BY array_position(:ids, p.id);
