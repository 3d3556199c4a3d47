-- Lists the codes of a seller, newest first, or the code with `wantedId`. `link_product_id`: a fitting product on sale.
-- @name listOwn
-- @null wantedId, beforeMicros, beforeId, link_product_id
-- @type state: import('./ownDiscounts.contract.ts').DiscountState
-- @type products: { id: string; title: string }[] | null
SELECT d.id, d.version, d.code, d.percent, d.amount_cents, d.is_first_only, d.starts_at, d.ends_at, d.most_uses, d.most_per_buyer, d.uses,
  micros_of(d.created_at) AS created_micros, coalesce(discount_problem(d, NULL), 'active') AS state,
  CASE WHEN NOT d.is_for_all THEN (
    SELECT coalesce(json_agg(json_build_object('id', p.id, 'title', p.title) ORDER BY p.title, p.id), '[]')
    FROM discount_products x JOIN products p ON p.id = x.product_id WHERE x.discount_id = d.id) END AS products,
  (SELECT coalesce(sum(u.paid_cents), 0)::bigint FROM discount_uses u JOIN orders o ON o.id = u.order_id
    WHERE u.discount_id = d.id AND o.status IN ('completed', 'refunded') AND o.user_id <> d.seller_id) AS revenue_cents,
  EXISTS (SELECT FROM discount_uses u WHERE u.discount_id = d.id) AS is_used,
  (SELECT p.id FROM products p WHERE p.seller_id = d.seller_id AND p.is_listed AND (d.is_for_all
    OR EXISTS (SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id = p.id))
    ORDER BY p.created_at DESC, p.id LIMIT 1) AS link_product_id
FROM discounts d
WHERE d.seller_id = :sellerId AND (:wantedId::uuid IS NULL OR d.id = :wantedId)
  AND (:beforeId::uuid IS NULL OR (micros_of(d.created_at), d.id) < (:beforeMicros::bigint, :beforeId))
ORDER BY d.created_at DESC, d.id DESC LIMIT :most;

-- @name countOwn
SELECT count(*) AS codes FROM discounts WHERE seller_id = :sellerId;

-- Adds only products of the seller.
-- @name addProducts
INSERT INTO discount_products (discount_id, product_id)
SELECT :discountId, p.id FROM products p
WHERE p.id = ANY (:productIds::uuid[]) AND p.seller_id = :sellerId AND p.deleted_at IS NULL
RETURNING product_id;

-- @name deleteUnused
DELETE FROM discounts d WHERE d.seller_id = :sellerId AND NOT EXISTS (SELECT FROM discount_uses u WHERE u.discount_id = d.id);
