-- @name readCategories
SELECT json_agg(json_build_object('id', c.id, 'name', c.name, 'productCount', coalesce(n.count, 0),
  'icon', :icons::jsonb -> c.icon) ORDER BY c.position)::text AS json
FROM categories c LEFT JOIN listed_products n ON n.category_id = c.id;

-- A variant id returns the variant's product. `reasons` contains the sentence for each code of `product_standing`.
-- @name readProduct
-- @null viewerId
SELECT to_json(x)::text AS json FROM (
  SELECT c.*, iso_of(p.created_at) AS "createdAt", p.seller_id AS "sellerId", p.delivery, p.stamps_pdf AS "stampsPdf",
    p.is_active AND p.delivery = 'file' AND p.file_id IS NULL AND NOT p.has_variants AS "isFileMissing",
    p.is_active AND p.is_out_of_stock AS "isOutOfStock", p.taken_down IS NOT NULL AS "isTakenDown",
    (:reasons::jsonb ->> s.unlisted_code) || coalesce(p.taken_down, '') AS "unlistedReason",
    EXISTS (SELECT FROM product_previews v WHERE v.product_id = p.id) AS "hasPreviews", samples_of(p.id) AS samples,
    CASE p.delivery WHEN 'course' THEN lessons_of(p.id) END AS lessons, devices_of(p, :defaultDevices::int) AS devices,
    (SELECT h.handle FROM storefronts h WHERE h.user_id = p.seller_id AND h.opened_at IS NOT NULL) AS "sellerHandle",
    (SELECT json_build_object('name', f.file_name, 'contentType', f.content_type, 'sizeBytes', f.size_bytes)
      FROM product_files f WHERE f.product_id = p.id AND f.id = p.file_id AND p.delivery = 'file') AS file,
    (SELECT coalesce(json_agg(f.file_name ORDER BY o.n), '[]') FROM unnest(p.more_file_ids) WITH ORDINALITY o (id, n)
      JOIN product_files f ON f.id = o.id WHERE p.delivery = 'file') AS "moreFiles",
    (SELECT coalesce(sum(f.size_bytes), 0)::bigint FROM product_files f
      WHERE f.id = ANY (p.file_id || p.more_file_ids) AND p.delivery = 'file') AS "totalBytes",
    (SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.variant_name, 'title', v.title,
        'price', decimal_of(v.price_cents), 'isActive', v.is_on_sale, 'isOutOfStock', v.is_out_of_stock,
        'devices', devices_of(v, :defaultDevices))
        ORDER BY v.variant_position, v.id), '[]')
      FROM products v WHERE v.variant_of = p.id AND v.is_active AND v.deleted_at IS NULL) AS variants,
    (SELECT coalesce(json_agg(b.part ORDER BY b.position), '[]') FROM bundle_part b WHERE b.bundle_id = p.id) AS parts,
    coalesce(p.seller_id = :viewerId::uuid, false) AS "isMine",
    json_build_object('product', json_build_array(coalesce(r.stars_1, 0), coalesce(r.stars_2, 0), coalesce(r.stars_3, 0),
        coalesce(r.stars_4, 0), coalesce(r.stars_5, 0)), 'productSamples', coalesce(r.samples, 0),
      'store', json_build_array(coalesce(t.stars_1, 0), coalesce(t.stars_2, 0), coalesce(t.stars_3, 0),
        coalesce(t.stars_4, 0), coalesce(t.stars_5, 0)), 'samples', coalesce(t.samples, 0)) AS rating
  FROM product_card c JOIN products p ON p.id = c.id JOIN product_standing s ON s.id = p.id
  LEFT JOIN ratings r ON r.product_id = p.id LEFT JOIN store_rating t ON t.id
  WHERE p.id = coalesce((SELECT variant_of FROM products WHERE id = :id::uuid), :id) AND p.deleted_at IS NULL
    AND (p.is_listed OR s.is_sold_out OR p.seller_id = :viewerId OR :isAdmin::boolean)) x;

-- Omits deleted products. Locks the products until the transaction ends: bundles first, then by id.
-- @name findBuyable
-- @null file_id
SELECT p.id, p.title, p.price_cents, p.suggested_cents, min_cents(p, bundle.parts) AS least_cents, p.seller_id, p.category_id,
  p.delivery, sold_file(p) AS file_id, sold_more_files(p) AS more_file_ids, p.is_on_sale, p.variant_of, p.has_variants,
  c.is_cash OR coalesce(bundle.is_cash, false) AS is_cash
FROM products p JOIN categories c ON c.id = p.category_id
LEFT JOIN LATERAL bundle_contents(p.id) bundle ON p.delivery = 'bundle'
WHERE p.id = ANY (:ids::uuid[]) AND p.deleted_at IS NULL
ORDER BY p.delivery <> 'bundle', p.id FOR SHARE OF p;

-- An image or file belongs to one product, so the draft has none.
-- @name copyProduct
INSERT INTO products (seller_id, category_id, title, description, price_cents, suggested_cents, delivery, stamps_pdf, is_out_of_stock, is_active)
SELECT seller_id, category_id, left(title, 200 - length(:ending::text)) || :ending, description, price_cents, suggested_cents,
  delivery, stamps_pdf, delivery IN ('code', 'bundle', 'course'), false
FROM products WHERE id = :id AND seller_id = :sellerId AND deleted_at IS NULL AND variant_of IS NULL
RETURNING id;

-- @name readCategoryName
SELECT name FROM categories WHERE id = :id;

-- @name countListed
SELECT coalesce(sum(count), 0)::int AS count FROM listed_products;

-- The first product of each category on its list, then the second of each, and so on. Goods as good as money are last.
-- @name readShowcase
-- @null image_url
SELECT p.id, p.title, p.category_id, c.name AS category, p.price_cents,
  p.suggested_cents IS NOT NULL OR p.price_cents > 0 AND p.most_cents IS NOT NULL AS has_choice,
  '/images/' || p.image_object_id || '/640.webp' AS image_url
FROM categories c CROSS JOIN LATERAL (
  SELECT *, row_number() OVER (ORDER BY (coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) AS place
  FROM products WHERE category_id = c.id AND is_listed
  ORDER BY (coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC LIMIT :count::int) p
ORDER BY p.place, c.is_cash, c.position LIMIT :count::int;

-- @name findChangedBuyers
SELECT p.id AS product_id, coalesce(c.buyers, 0) AS buyers
FROM products p LEFT JOIN unnest(:productIds::uuid[], :buyers::int[]) AS c (product_id, buyers) ON c.product_id = p.id
WHERE p.recent_buyers <> coalesce(c.buyers, 0) ORDER BY p.id;

-- @name saveBuyers
UPDATE products p SET recent_buyers = c.buyers
FROM unnest(:productIds::uuid[], :buyers::int[]) AS c (product_id, buyers) WHERE p.id = c.product_id;

-- @name readUse
SELECT u.is_sold, u.is_sold_bundle, u.is_bundled, u.has_codes, u.has_code_source, u.has_lesson FROM product_use u WHERE u.id = :id;

-- @name findSoldVersion
SELECT v.file_id FROM sold_version v WHERE v.product_id = :productId AND v.file_id = :fileId::uuid LIMIT 1;

-- @name isSellerSuspended
SELECT is_seller_suspended(:sellerId::uuid) AS is_suspended;

-- @name findUnsettledSellers
WITH off AS MATERIALIZED (SELECT DISTINCT seller_id AS id FROM products WHERE is_suspended),
stopped AS (SELECT id FROM users WHERE erase_at IS NOT NULL UNION SELECT seller_id FROM suspensions WHERE lifted_at IS NULL)
SELECT id FROM off WHERE NOT is_seller_suspended(id)
UNION ALL SELECT id FROM stopped s WHERE EXISTS (SELECT FROM products WHERE seller_id = s.id AND NOT is_suspended)
LIMIT :limit::int;
