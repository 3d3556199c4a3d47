-- Locks codes in order of id until the transaction ends.
-- @name lockDiscounts
-- @null percent, amount_cents, product_ids
-- @type problem: import('../cart.contract.ts').DiscountProblem | null
SELECT * FROM lock_discounts(:ids::uuid[], :buyerId);

-- Finds the codes with this text that fit one of the products.
-- @name findByCode
SELECT d.id FROM discounts d
WHERE d.code = :code AND d.seller_id = ANY (:sellerIds::uuid[]) AND (d.is_for_all OR EXISTS (
  SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id = ANY (:productIds::uuid[])));

-- Lists the codes with this text that fit the product, or without `productId` a product of the cart.
-- @name listFitting
-- @null productId, amount
-- @type problem: import('../cart.contract.ts').DiscountProblem | null
WITH wanted AS MATERIALIZED (
  SELECT p.id, p.variant_of, p.seller_id FROM (
    SELECT product_id AS id FROM cart_items WHERE user_id = :userId AND :productId::uuid IS NULL
    UNION ALL SELECT :productId WHERE :productId IS NOT NULL) w JOIN products p USING (id) WHERE p.deleted_at IS NULL)
SELECT d.id, d.percent, decimal_of(d.amount_cents) AS amount, discount_problem(d, :userId) AS problem FROM discounts d
WHERE d.code = :code AND d.seller_id IN (SELECT seller_id FROM wanted) AND (d.is_for_all OR EXISTS (
  SELECT FROM discount_products x
  WHERE x.discount_id = d.id AND x.product_id IN (SELECT id FROM wanted UNION ALL SELECT variant_of FROM wanted)))
ORDER BY d.id;

-- @name keepInCart
INSERT INTO cart_discounts (user_id, seller_id, discount_id)
SELECT :userId, d.seller_id, d.id FROM discounts d WHERE d.id = ANY (:ids::uuid[]) ORDER BY d.seller_id
ON CONFLICT (user_id, seller_id) DO UPDATE SET discount_id = excluded.discount_id;

-- @name dropFromCart
DELETE FROM cart_discounts WHERE user_id = :userId AND discount_id = :discountId;

-- @name claimUses
WITH claimed AS (
  INSERT INTO discount_uses (order_id, discount_id, user_id, code, amount_cents, paid_cents)
  SELECT :orderId, u.id, :userId, u.code, u."amountCents", u."paidCents"
  FROM json_to_recordset(:uses::json) AS u (id uuid, code text, "amountCents" bigint, "paidCents" bigint)
  RETURNING discount_id)
UPDATE discounts SET uses = uses + 1 WHERE id IN (SELECT discount_id FROM claimed);

-- Releases the uses of an order, and with `isFromCart` restores its codes in the cart. Locks the cart before the codes,
-- as placing an order does. A code that the buyer entered meanwhile stays.
-- @name returnUses
WITH returned AS (
  UPDATE discount_uses SET returned_at = now() WHERE order_id = :orderId AND returned_at IS NULL
  RETURNING discount_id AS id, user_id),
kept AS (
  INSERT INTO cart_discounts (user_id, seller_id, discount_id)
  SELECT r.user_id, d.seller_id, d.id FROM returned r JOIN discounts d USING (id) WHERE :isFromCart::boolean
  ON CONFLICT DO NOTHING)
SELECT id FROM returned;

-- @name uncountUses
UPDATE discounts SET uses = uses - 1 WHERE id IN (
  SELECT id FROM discounts WHERE id = ANY (:ids::uuid[]) ORDER BY id FOR NO KEY UPDATE);

-- @name claimAgain
WITH claimed AS (UPDATE discount_uses SET returned_at = NULL WHERE order_id = :orderId RETURNING discount_id)
UPDATE discounts SET uses = uses + 1 WHERE id = ANY (:ids::uuid[]);
