-- Serializes the imports of a seller, because two files can contain the same product.
-- @name lockImports
SELECT FROM pg_advisory_xact_lock(hashtextextended('import ' || :sellerId::uuid, 0));

-- @name noteRows
-- @type notes: string
UPDATE product_import_rows r SET note = n.note
FROM json_to_recordset(:notes::json) AS n (number int, note text)
WHERE r.import_id = :importId AND r.number = n.number AND r.state = 'ready';

-- @name findExported
SELECT id FROM products WHERE id = ANY (:ids::uuid[])
  AND seller_id = (SELECT seller_id FROM product_imports WHERE id = :importId) AND deleted_at IS NULL;

-- @name markRows
UPDATE product_import_rows SET state = 'known' WHERE import_id = :importId AND number = ANY (:numbers::int[]);

-- @name markImported
UPDATE product_import_rows r SET state = 'known' FROM product_imports i, imported_products m, products p
WHERE i.id = :importId AND r.import_id = i.id AND r.state = 'ready'
  AND m.seller_id = i.seller_id AND m.key = r.key AND p.id = m.product_id AND p.deleted_at IS NULL;

-- A page of rows after the row `after`.
-- @name listRows
SELECT coalesce(json_agg(json_build_object('number', r.number, 'title', r.title, 'price', decimal_of(r.price_cents),
  'suggested', decimal_of(r.suggested_cents), 'categoryId', r.category_id, 'problem', r.problem, 'note', r.note)
  ORDER BY r.number), '[]')::text AS json
FROM (SELECT r.* FROM product_import_rows r JOIN product_imports i ON i.id = r.import_id
  WHERE i.id = :importId AND i.seller_id = :sellerId AND r.state = CASE :view::text WHEN 'noted' THEN 'ready' ELSE :view END
    AND (:view <> 'noted' OR r.note IS NOT NULL) AND r.number > :after ORDER BY r.number LIMIT :limit) r;

-- Deletes imports that nobody started within a day, and imports that are too old for Undo.
-- @name sweepImports
DELETE FROM product_imports
WHERE created_at < now() - CASE WHEN state IN ('running', 'done') THEN interval '30 days' ELSE interval '1 day' END;

-- A page of products for an export, the newest first. `key` is the cursor.
-- @name exportProducts
-- @null after, afterId, suggested, stock
SELECT p.id, p.title, p.description, decimal_of(p.price_cents) AS price, decimal_of(p.suggested_cents) AS suggested,
  c.name AS category, o.status, o.stock::text AS stock, o.sales::text AS sales, iso_of(p.created_at) AS created,
  micros_of(p.created_at) AS key
FROM products p JOIN categories c ON c.id = p.category_id JOIN own_product o ON o.id = p.id
WHERE p.seller_id = :sellerId AND p.deleted_at IS NULL AND p.variant_of IS NULL
  AND (:afterId::uuid IS NULL OR (p.created_at, p.id) < (moment_of(:after::bigint), :afterId))
ORDER BY p.created_at DESC, p.id DESC LIMIT :limit;
