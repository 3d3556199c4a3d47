-- Lists a seller's products in the order of an index. An index-only scan counts them.
-- @name listNewest
-- @null key, afterId, next
WITH page AS MATERIALIZED (
  SELECT p.id, micros_of(p.created_at) AS key, row_number() OVER (ORDER BY p.created_at DESC, p.id DESC) AS n FROM products p
  WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL
    AND (:afterId::uuid IS NULL OR (p.created_at, p.id) < (moment_of(:key::bigint), :afterId))
  ORDER BY p.created_at DESC, p.id DESC LIMIT :limit::int + 1)
SELECT coalesce(json_agg(row_to_json(o) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN max(json_build_array(page.key, page.id)::text) FILTER (WHERE n = :limit) END AS next,
  (SELECT count(*) FROM products p WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL) AS total
FROM page JOIN own_card o ON o.id = page.id;

-- @name listBySales
-- @null key, afterId, next
WITH page AS MATERIALIZED (
  SELECT p.id, c.sales AS key, row_number() OVER (ORDER BY c.sales DESC, c.product_id DESC) AS n
  FROM products p JOIN product_counts c ON c.product_id = p.id
  WHERE c.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL
    AND (:afterId::uuid IS NULL OR (c.sales, c.product_id) < (:key::bigint, :afterId))
  ORDER BY c.sales DESC, c.product_id DESC LIMIT :limit::int + 1)
SELECT coalesce(json_agg(row_to_json(o) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN max(json_build_array(page.key, page.id)::text) FILTER (WHERE n = :limit) END AS next,
  (SELECT count(*) FROM products p WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL) AS total
FROM page JOIN own_card o ON o.id = page.id;

-- @name listByViews
-- @null key, afterId, next
WITH page AS MATERIALIZED (
  SELECT p.id, c.views AS key, row_number() OVER (ORDER BY c.views DESC, c.product_id DESC) AS n
  FROM products p JOIN product_counts c ON c.product_id = p.id
  WHERE c.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL
    AND (:afterId::uuid IS NULL OR (c.views, c.product_id) < (:key::bigint, :afterId))
  ORDER BY c.views DESC, c.product_id DESC LIMIT :limit::int + 1)
SELECT coalesce(json_agg(row_to_json(o) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN max(json_build_array(page.key, page.id)::text) FILTER (WHERE n = :limit) END AS next,
  (SELECT count(*) FROM products p WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL) AS total
FROM page JOIN own_card o ON o.id = page.id;

-- @name listByPrice
-- @null key, afterId, next
WITH page AS MATERIALIZED (
  SELECT p.id, p.price_cents AS key, row_number() OVER (ORDER BY p.price_cents DESC, p.id DESC) AS n FROM products p
  WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL
    AND (:afterId::uuid IS NULL OR (p.price_cents, p.id) < (:key::bigint, :afterId))
  ORDER BY p.price_cents DESC, p.id DESC LIMIT :limit::int + 1)
SELECT coalesce(json_agg(row_to_json(o) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN max(json_build_array(page.key, page.id)::text) FILTER (WHERE n = :limit) END AS next,
  (SELECT count(*) FROM products p WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL) AS total
FROM page JOIN own_card o ON o.id = page.id;

-- @name listByTitle
-- @null key, afterId, next
WITH page AS MATERIALIZED (
  SELECT p.id, lower(p.title) AS key, row_number() OVER (ORDER BY lower(p.title) ASC, p.id ASC) AS n FROM products p
  WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL
    AND (:afterId::uuid IS NULL OR (lower(p.title), p.id) > (:key::text, :afterId))
  ORDER BY lower(p.title) ASC, p.id ASC LIMIT :limit::int + 1)
SELECT coalesce(json_agg(row_to_json(o) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN max(json_build_array(page.key, page.id)::text) FILTER (WHERE n = :limit) END AS next,
  (SELECT count(*) FROM products p WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL) AS total
FROM page JOIN own_card o ON o.id = page.id;

-- Lists a seller's products by search or status, or in an order without an index. By stock, unlimited ones come last.
-- @name listSome
-- @null status, amount, label, afterId, next
WITH own AS MATERIALIZED (
  SELECT p.id, CASE :sort::text WHEN 'newest' THEN micros_of(p.created_at) WHEN 'sales' THEN c.sales WHEN 'views' THEN c.views
      WHEN 'rating' THEN p.rated WHEN 'price' THEN p.price_cents
      WHEN 'stock' THEN coalesce((SELECT o.stock FROM own_product o WHERE o.id = p.id), 9007199254740991) END AS amount,
    CASE :sort WHEN 'title' THEN lower(p.title) END AS label
  FROM products p JOIN product_counts c ON c.product_id = p.id LEFT JOIN product_files f ON f.id = p.file_id
  WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL AND (:status::text IS NULL OR own_status(p) = :status)
    AND (:q::text = '' OR strpos(fold_text(p.title || ' ' || coalesce(f.file_name, '')), fold_text(:q)) > 0)),
page AS MATERIALIZED (
  SELECT *, row_number() OVER (ORDER BY label, CASE :sort WHEN 'stock' THEN amount END,
    CASE WHEN :sort <> 'stock' THEN amount END DESC, CASE WHEN :sort IN ('stock', 'title') THEN id END, id DESC) AS n
  FROM own WHERE :afterId::uuid IS NULL OR CASE :sort WHEN 'title' THEN (label, id) > (:label::text, :afterId)
    WHEN 'stock' THEN (amount, id) > (:amount::bigint, :afterId) ELSE (amount, id) < (:amount, :afterId) END
  ORDER BY n LIMIT :limit::int + 1)
SELECT coalesce(json_agg(row_to_json(o) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN max(json_build_array(CASE :sort WHEN 'title' THEN to_json(page.label) ELSE to_json(page.amount) END,
    page.id)::text) FILTER (WHERE n = :limit) END AS next,
  (SELECT count(*) FROM own) AS total
FROM page JOIN own_card o ON o.id = page.id;

-- @name readOwnProduct
SELECT row_to_json(x)::text AS json FROM (
  SELECT b.*, o.status, o."createdAt", o."withdrawnAt", o.delivery, o.stock, o.sales, o.views, p.version,
    EXISTS (SELECT FROM order_lines l JOIN orders d ON d.id = l.order_id
        WHERE l.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(p.id) w)) AND d.status <> 'failed')
      OR p.delivery = 'bundle' AND EXISTS (SELECT FROM order_lines l JOIN orders d ON d.id = l.order_id
        WHERE l.bundle_id = p.id AND d.status <> 'failed') AS "isSold",
    p.stamps_pdf AS "stampsPdf", p.taken_down IS NOT NULL AS "isTakenDown", iso_of(p.updated_at) AS "updatedAt",
    (SELECT coalesce(json_agg(json_build_object('id', f.id, 'name', f.file_name, 'sizeBytes', f.size_bytes, 'addedAt', iso_of(f.created_at),
        'isPdf', f.content_type = 'application/pdf', 'isChecked', f.checked_at IS NOT NULL, 'isProgram', f.is_program) ORDER BY s.n), '[]')
      FROM unnest(p.file_id || p.more_file_ids) WITH ORDINALITY s (id, n)
      JOIN product_files f ON f.id = s.id AND f.product_id = p.id) AS files,
    (SELECT coalesce(json_agg(json_build_object('id', d.id, 'title', d.title) ORDER BY lower(d.title)), '[]')
      FROM bundle_parts k JOIN products d ON d.id = k.bundle_id AND d.deleted_at IS NULL WHERE k.product_id = p.id) AS bundles,
    (SELECT coalesce(json_agg(v.variant ORDER BY v.variant_position, v.id), '[]') FROM own_variant v WHERE v.variant_of = p.id) AS variants,
    (SELECT coalesce(json_agg(own_part(q) ORDER BY k.position), '[]')
      FROM bundle_parts k JOIN products q ON q.id = k.product_id WHERE k.bundle_id = p.id) AS parts,
    (SELECT json_build_object('id', d.id, 'title', d.title, 'name', p.variant_name) FROM products d WHERE d.id = p.variant_of) AS "variantOf",
    (SELECT json_build_object('question', r.question, 'answerBy', iso_of(r.answer_by), 'answer', r.answer) FROM report_cases r
      WHERE r.product_id = p.id AND r.review_id IS NULL AND r.decision IS NULL AND r.question IS NOT NULL) AS asked
  FROM products p JOIN product_card b ON b.id = p.id JOIN own_product o ON o.id = p.id
  WHERE p.id = :id AND p.seller_id = :sellerId AND p.deleted_at IS NULL) x;

-- Products that can be a part of a bundle.
-- @name readParts
SELECT coalesce(json_agg(own_part(q) ORDER BY q.is_on_sale DESC, lower(q.title), q.id), '[]')::text AS json
FROM products q WHERE q.id IN (SELECT p.id FROM products p
  WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.delivery <> 'bundle' AND NOT p.has_variants
  ORDER BY p.is_on_sale DESC, lower(p.title), p.id LIMIT 500);
