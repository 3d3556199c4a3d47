-- Cheaper than `readCart`. Most carts are empty.
-- @name hasLines
SELECT EXISTS (SELECT FROM cart_items WHERE user_id = :userId) AS has_lines;

-- Oldest line first. `owns_some`: the shopper may own a product that nobody needs twice, such as a book.
-- @name readCart
-- @null suggested_cents, brief, image_object_id, variant_of, part_titles, once_ids, added_cents
-- @null choice_id, discount_id, discount_code, discount_percent, discount_cents, discount_problem
-- @type discount_problem: import('./cart.contract.ts').DiscountProblem | null
SELECT l.id, l.product_id, l.quantity, l.created_at, l.unit_cents, l.suggested_cents, l.min_cents, l.title, l.brief, l.category_id,
  l.is_on_sale, l.is_one_enough, l.earns_bonus, l.is_cash, l.part_titles, l.once_ids, l.added_cents, l.image_object_id, l.variant_of,
  l.seller_id = l.user_id AS is_own,
  CASE WHEN NOT l.is_on_sale THEN (SELECT w.id FROM products w
    WHERE w.id = coalesce(l.variant_of, l.product_id) AND w.has_variants AND w.is_listed) END AS choice_id,
  l.discount_id, l.discount_code, l.discount_percent, l.discount_cents, l.discount_problem,
  EXISTS (SELECT FROM entitlements e
    WHERE e.user_id = l.user_id AND e.revoked_at IS NULL AND e.product_id = ANY (l.needed_once)) AS owns_some
FROM cart_line l WHERE l.user_id = :userId ORDER BY l.created_at, l.id;

-- Returns the products and bundle parts of lines that the shopper can already open and needs only once.
-- @name findOwned
SELECT l.id, p.title
FROM cart_line l CROSS JOIN LATERAL unnest(l.needed_once) needed (id) JOIN products p ON p.id = needed.id
LEFT JOIN bundle_parts b ON b.bundle_id = l.product_id AND b.product_id = p.id
WHERE l.user_id = :userId AND l.unit_cents > 0
  AND EXISTS (SELECT FROM open_copy o WHERE o.user_id = l.user_id AND o.product_id = p.id)
ORDER BY l.id, b.position;

-- Returns no row if there is no such product. `chosenCents` is the price that the buyer chooses.
-- @name addLine
-- @null chosenCents, addedAt, is_allowed, min_cents
WITH wanted AS (
  SELECT p.id, p.is_on_sale, p.is_listed AND p.has_variants AS has_variants, p.price_cents AS min_cents,
    (:chosenCents::bigint IS NULL OR p.suggested_cents IS NULL OR :chosenCents BETWEEN p.price_cents AND :maxCents::bigint) AS is_allowed,
    price_of(p, coalesce(:chosenCents, m.price_cents)) AS cents,
    p.suggested_cents IS NOT NULL AND (:chosenCents IS NOT NULL OR m.id IS NOT NULL) AS is_chosen
  FROM products p LEFT JOIN cart_items m ON m.user_id = :userId AND m.product_id = p.id AND m.is_chosen
  WHERE p.id = :productId),
added AS (
  INSERT INTO cart_items (user_id, product_id, quantity, price_cents, is_chosen, created_at)
  SELECT :userId, w.id, :quantity, w.cents, w.is_chosen, least(now(), :addedAt::timestamptz) FROM wanted w
  WHERE w.is_on_sale AND w.is_allowed AND ((SELECT count(*) FROM cart_items WHERE user_id = :userId) < :maxLines::int
    OR EXISTS (SELECT FROM cart_items WHERE user_id = :userId AND product_id = :productId))
  ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = cart_items.quantity + excluded.quantity,
    price_cents = excluded.price_cents, is_chosen = excluded.is_chosen
  RETURNING id)
SELECT is_on_sale, has_variants, is_allowed, min_cents, EXISTS (SELECT FROM added) AS is_added FROM wanted;

-- Returns no row if there is no such line.
-- @name setQuantity
-- @null chosenCents
WITH found AS (
  SELECT l.id, p.price_cents AS min_cents, CASE WHEN p.suggested_cents IS NOT NULL THEN :chosenCents::bigint END AS chosen,
    (:chosenCents IS NULL OR p.suggested_cents IS NULL OR :chosenCents BETWEEN p.price_cents AND :maxCents::bigint) AS is_allowed
  FROM cart_items l JOIN products p ON p.id = l.product_id WHERE l.id = :id AND l.user_id = :userId),
changed AS (
  UPDATE cart_items l SET quantity = :quantity, price_cents = coalesce(f.chosen, l.price_cents),
    is_chosen = l.is_chosen OR f.chosen IS NOT NULL
  FROM found f WHERE l.id = f.id AND f.is_allowed)
SELECT is_allowed, min_cents FROM found;

-- @name deleteLine
DELETE FROM cart_items WHERE id = :id AND user_id = :userId RETURNING id;

-- Deletes all lines and the discount codes of their sellers. Locks the products until the transaction ends.
-- @name takeLines
-- @null suggested_cents, file_id, variant_of, discount_ids
WITH taken AS (
  DELETE FROM cart_items WHERE user_id = :userId RETURNING product_id, quantity, price_cents, is_chosen, created_at),
kept AS (
  DELETE FROM cart_discounts WHERE user_id = :userId
    AND seller_id IN (SELECT p.seller_id FROM taken t JOIN products p ON p.id = t.product_id) RETURNING discount_id)
SELECT CASE WHEN price.cents = 0 THEN 1 ELSE l.quantity END AS quantity, price.cents, l.created_at AS added_at, p.id, p.title,
  p.price_cents, p.suggested_cents, min_cents(p, bundle.parts) AS least_cents, p.seller_id, p.category_id, p.delivery,
  sold_file(p) AS file_id, sold_more_files(p) AS more_file_ids, p.is_on_sale, p.variant_of, p.has_variants,
  c.is_cash OR coalesce(bundle.is_cash, false) AS is_cash, (SELECT array_agg(discount_id) FROM kept) AS discount_ids
FROM taken l JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id
CROSS JOIN LATERAL (SELECT price_of(p, CASE WHEN l.is_chosen THEN l.price_cents END) AS cents) price
LEFT JOIN LATERAL bundle_contents(p.id) bundle ON p.delivery = 'bundle'
ORDER BY p.delivery <> 'bundle', p.id FOR SHARE OF p;

-- Restores lines in their order after a failed payment. Adds their quantities to existing lines.
-- @name restoreLines
INSERT INTO cart_items (user_id, product_id, quantity, price_cents, is_chosen, created_at)
SELECT :userId, i.product_id, i.quantity, i.price_cents, p.suggested_cents IS NOT NULL, now() + i.place * interval '1 millisecond'
FROM unnest(:productIds::uuid[], :quantities::int[], :cents::bigint[]) WITH ORDINALITY AS i (product_id, quantity, price_cents, place)
JOIN products p ON p.id = i.product_id
ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = least(cart_items.quantity + excluded.quantity, :maxQuantity::int);

-- Undoes `restoreLines` if the order completes later. Copies that the member added meanwhile stay.
-- @name removeRestored
WITH taken AS (SELECT * FROM unnest(:productIds::uuid[], :quantities::int[]) AS t (product_id, quantity)),
gone AS (
  DELETE FROM cart_items c USING taken t WHERE c.user_id = :userId AND c.product_id = t.product_id AND c.quantity <= t.quantity)
UPDATE cart_items c SET quantity = c.quantity - t.quantity FROM taken t
WHERE c.user_id = :userId AND c.product_id = t.product_id AND c.quantity > t.quantity;

-- Raises lines to these quantities, for products on sale. Uses the given prices if buyers choose the price.
-- @name ensureLines
-- @type cents: (number | null)[]
INSERT INTO cart_items (user_id, product_id, quantity, price_cents, is_chosen)
SELECT :userId, p.id, i.quantity, price_of(p, i.price_cents), p.suggested_cents IS NOT NULL AND i.price_cents IS NOT NULL
FROM unnest(:productIds::uuid[], :quantities::int[], :cents::bigint[]) AS i (product_id, quantity, price_cents)
JOIN products p ON p.id = i.product_id WHERE p.is_on_sale
ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = greatest(cart_items.quantity, excluded.quantity)
RETURNING product_id;

-- @name countLines
SELECT count(*)::int AS lines FROM cart_items WHERE user_id = :userId;
