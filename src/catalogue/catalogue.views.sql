-- Views and functions of the catalogue for other rooms.

-- A buyer needs only one copy of these goods, because all copies are the same.
CREATE OR REPLACE FUNCTION is_one_enough(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT kind IN ('file', 'course') $$;

-- The first 200 characters of a description, without Markdown.
CREATE OR REPLACE FUNCTION brief(description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT nullif(left(unmarked(left(description, 300)), 200), '') $$;

-- The lowest price of a copy after discounts. Codes, keys and each part of a bundle cost at least a cent.
CREATE OR REPLACE FUNCTION min_cents(p products, parts bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p.suggested_cents IS NOT NULL THEN p.price_cents WHEN p.delivery = 'file' THEN 0
    WHEN p.delivery = 'bundle' THEN parts ELSE 1 END
$$;

-- The parts of a bundle in one row. A buyer needs only one copy of the parts in `once_ids`.
CREATE OR REPLACE FUNCTION bundle_contents(bundle uuid) RETURNS TABLE (titles text[], parts bigint, is_one_enough boolean,
    earns_bonus boolean, is_cash boolean, once_ids uuid[]) LANGUAGE sql STABLE AS $$
  SELECT array_agg(q.title ORDER BY b.position), count(*), bool_and(is_one_enough(q.delivery)), bool_and(g.earns_bonus),
    bool_or(g.is_cash), array_agg(q.id) FILTER (WHERE is_one_enough(q.delivery))
  FROM bundle_parts b JOIN products q ON q.id = b.product_id JOIN categories g ON g.id = q.category_id
  WHERE b.bundle_id = bundle
$$;

-- The sold file of a product. For products with codes or lessons, the file is not sold.
CREATE OR REPLACE FUNCTION sold_file(p products) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT CASE WHEN p.delivery NOT IN ('code', 'course') THEN p.file_id END $$;

CREATE OR REPLACE FUNCTION sold_more_files(p products) RETURNS uuid[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT CASE WHEN p.delivery NOT IN ('code', 'course') THEN p.more_file_ids ELSE '{}' END $$;

-- The product whose page sells this product. Variants have no page.
CREATE OR REPLACE FUNCTION page_of(p products) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT coalesce(p.variant_of, p.id) $$;

-- A product and its variants. `= ANY (ARRAY (SELECT w.id FROM with_variants(p.id) w))` lets an index find the rows.
CREATE OR REPLACE FUNCTION with_variants(product uuid) RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT w.id FROM products w WHERE w.id = product OR w.variant_of = product $$;

-- The price of a part of a bundle; if buyers choose the price, the suggested price.
CREATE OR REPLACE FUNCTION list_cents(p products) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT coalesce(p.suggested_cents, p.price_cents) $$;

-- A code that can be sold.
CREATE OR REPLACE FUNCTION is_free_code(c codes) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT c.state = 'free' AND (c.expires_at IS NULL OR c.expires_at > now()) $$;

-- The line was sold and not refunded. Its copies may be gifts. The line of a claimed gift is not a sale.
CREATE OR REPLACE FUNCTION is_sale(e entitlements) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT (e.revoked_at IS NULL OR e.given_at IS NOT NULL) AND NOT e.is_gift $$;

-- A product with its JSON fields. Lists show a shortened description without Markdown.
CREATE OR REPLACE VIEW product_card AS
SELECT p.id, p.title, nullif(p.description, '') AS description, decimal_of(p.price_cents) AS price,
  decimal_of(p.suggested_cents) AS suggested,
  CASE WHEN p.has_variants THEN decimal_of(coalesce(p.most_cents, p.price_cents)) END AS most,
  p.delivery AS kind, p.category_id AS "categoryId", '/images/' || p.image_object_id || '/640.webp' AS "imageUrl",
  (SELECT o.color FROM objects o WHERE o.id = p.image_object_id) AS "imageColor",
  p.is_listed AS "isActive",
  (SELECT shown_name(u, 'Primo seller') FROM users u WHERE u.id = p.seller_id) AS "sellerName",
  (SELECT json_build_object('stars', round((r.stars_1 + 2 * r.stars_2 + 3 * r.stars_3 + 4 * r.stars_4 + 5 * r.stars_5)::numeric
      / nullif(n.reviews, 0), 1), 'reviews', n.reviews, 'samples', r.samples)
    FROM ratings r CROSS JOIN LATERAL (SELECT r.stars_1 + r.stars_2 + r.stars_3 + r.stars_4 + r.stars_5 AS reviews) n
    WHERE r.product_id = p.id AND n.reviews > 0) AS rated
FROM products p;

CREATE OR REPLACE VIEW listed_card AS
SELECT c.id, c.title, nullif(unmarked(c.description), '') AS description, c.price, c.suggested, c.most, c.kind, c."categoryId",
  c."imageUrl", c."imageColor", c."isActive", c."sellerName", c.rated,
  EXISTS (SELECT FROM product_previews v WHERE v.product_id = c.id AND v.kind <> 'image')
    OR c.kind = 'course' AND EXISTS (SELECT FROM course_parts k WHERE k.product_id = c.id AND k.is_preview AND k.deleted_at IS NULL) AS "hasSample"
FROM product_card c;

CREATE OR REPLACE VIEW brief_card AS
SELECT c.id, c.title, brief(c.description) AS description, c.price, c.suggested, c.most, c.kind, c."categoryId",
  c."imageUrl", c."imageColor", c."isActive", c."sellerName", c.rated
FROM product_card c;

-- The parts of a bundle as JSON.
CREATE OR REPLACE VIEW bundle_part AS
SELECT k.bundle_id, k.position, k.product_id, q.is_on_sale,
  json_build_object('id', q.id, 'title', q.title, 'price', decimal_of(list_cents(q)), 'categoryId', q.category_id,
    'imageUrl', '/images/' || q.image_object_id || '/640.webp', 'kind', q.delivery, 'coverId', q.variant_of) AS part
FROM bundle_parts k JOIN products q ON q.id = k.product_id;

-- The reason why a product is not listed. A sold-out product still has a public page.
CREATE OR REPLACE VIEW product_standing AS
SELECT p.id,
  p.is_out_of_stock AND p.is_active AND p.taken_down IS NULL AND NOT p.is_suspended AND p.deleted_at IS NULL AND NOT p.is_parent_off
    AND (p.delivery = 'bundle' OR p.delivery = 'code' AND EXISTS (SELECT FROM codes c WHERE c.product_id = p.id)
      OR p.has_variants AND EXISTS (SELECT FROM products v JOIN codes c ON c.product_id = v.id WHERE v.variant_of = p.id)) AS is_sold_out,
  CASE WHEN p.taken_down IS NOT NULL THEN 'taken_down'
    WHEN p.is_suspended THEN 'suspended'
    WHEN p.is_listed THEN NULL
    WHEN p.is_active AND p.is_out_of_stock THEN CASE WHEN p.delivery = 'bundle' THEN 'part_off_sale' WHEN p.has_variants THEN 'no_variant'
      WHEN p.delivery = 'course' THEN 'no_lesson' ELSE 'no_code' END
    WHEN p.is_active THEN 'no_file'
    WHEN p.withdrawn_at IS NULL THEN 'draft'
    ELSE 'withdrawn' END AS unlisted_code
FROM products p;

-- The query of a search: word parts, text with operators, or words with an incomplete last word.
CREATE OR REPLACE FUNCTION search_query(parts text[], written text, starts text) RETURNS tsquery LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN parts IS NOT NULL THEN search_inside(parts) WHEN written <> '' THEN websearch_to_tsquery('english', written)
    ELSE search_starts(starts) END
$$;

-- The versions on sale as JSON, in the seller's order.
CREATE OR REPLACE FUNCTION files_on_sale(p products) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', f.id, 'objectId', f.object_id, 'part', f.part, 'isProgram', f.is_program)
    ORDER BY s.n), '[]')
  FROM unnest(p.file_id || p.more_file_ids) WITH ORDINALITY s (id, n) JOIN product_files f ON f.id = s.id AND f.product_id = p.id
$$;

-- Sales, codes and lessons of a product, which prevent a change of its kind.
CREATE OR REPLACE VIEW product_use AS
SELECT p.id,
  EXISTS (SELECT FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.product_id = p.id AND o.status <> 'failed') AS is_sold,
  EXISTS (SELECT FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.bundle_id = p.id AND o.status <> 'failed') AS is_sold_bundle,
  EXISTS (SELECT FROM bundle_parts b WHERE b.product_id = p.id) AS is_bundled,
  EXISTS (SELECT FROM codes c WHERE c.product_id = p.id) AS has_codes,
  EXISTS (SELECT FROM codes c WHERE c.product_id = p.id AND c.state <> 'void') AS has_valid_codes,
  EXISTS (SELECT FROM codes c WHERE c.product_id = p.id AND c.state IN ('free', 'held')) AS has_open_codes,
  -- a sellable code or a server that supplies codes
  EXISTS (SELECT FROM codes c WHERE c.product_id = p.id AND is_free_code(c))
    OR EXISTS (SELECT FROM supplied_products y WHERE y.product_id = p.id) AS has_code_source,
  EXISTS (SELECT FROM course_parts c WHERE c.product_id = p.id AND NOT c.is_section AND c.deleted_at IS NULL) AS has_lesson
FROM products p;

-- File versions that order lines reference.
CREATE OR REPLACE VIEW sold_version AS
SELECT l.product_id, unnest(l.file_id || l.more_file_ids) AS file_id FROM order_lines l;

-- The samples of a product as JSON, in the seller's order.
CREATE OR REPLACE FUNCTION samples_of(product uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', v.id, 'kind', v.kind, 'url', '/samples/' || v.id, 'contentType', v.content_type,
    'sizeBytes', v.size_bytes, 'alt', v.alt, 'shown', v.shown, 'whole', v.whole) ORDER BY v.position, v.created_at, v.id), '[]')
  FROM product_previews v WHERE v.product_id = product AND v.kind <> 'image'
$$;

-- A course before the purchase: number of lessons, title of the first free lesson, and the lessons that open later.
CREATE OR REPLACE FUNCTION lessons_of(course uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('count', count(*),
    'free', (array_agg(c.title ORDER BY c.position, c.created_at, c.id) FILTER (WHERE c.is_preview))[1],
    'later', coalesce(json_agg(json_build_object('title', c.title, 'opensOn', c.opens_on, 'opensAfterDays', c.opens_after_days)
      ORDER BY c.position, c.created_at, c.id) FILTER (WHERE c.opens_on IS NOT NULL OR c.opens_after_days IS NOT NULL), '[]'))
  FROM course_parts c WHERE c.product_id = course AND NOT c.is_section AND c.deleted_at IS NULL
$$;

-- The devices of one licence key. Null for other kinds and for products whose variants have separate terms.
CREATE OR REPLACE FUNCTION devices_of(p products, default_devices int) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.delivery = 'license' AND NOT p.has_variants THEN coalesce(
    (SELECT t.devices_per_seat FROM license_terms t WHERE t.product_id = p.id),
    (SELECT t.devices_per_seat FROM license_terms t WHERE t.product_id = p.variant_of), default_devices) END
$$;

-- The design of a seller's page as everybody sees it. A featured product that is off sale is left out.
CREATE OR REPLACE VIEW storefront_design AS
SELECT d.user_id, d.featured_product_id, json_build_object(
  'header', CASE WHEN d.header_object_id IS NOT NULL THEN json_build_object('url', '/images/' || d.header_object_id || '/640.webp',
    'color', (SELECT o.color FROM objects o WHERE o.id = d.header_object_id)) END,
  'headerColor', d.header_color, 'accentColor', d.accent_color, 'sections', d.sections,
  'featured', (SELECT to_json(c) FROM brief_card c WHERE c.id = d.featured_product_id AND c."isActive"),
  'links', (SELECT coalesce(json_agg(json_build_object('label', k.label, 'url', k.url) ORDER BY k.position), '[]')
    FROM storefront_links k WHERE k.user_id = d.user_id)) AS design
FROM storefront_designs d;
