-- Two stored codes: the newest one, and one without any of these marks.
-- @name findSamples
-- @null sealed_parts
(SELECT ciphertext, sealed_parts FROM codes ORDER BY position DESC LIMIT 1) UNION ALL
(SELECT ciphertext, sealed_parts FROM codes
  WHERE NOT is_marked(ciphertext, :marks) OR NOT is_marked(sealed_parts, :marks) LIMIT 1);

-- @name countStates
-- @type state: import('./stock.contract.ts').CodeState
SELECT code_state(c) AS state, count(*)::int AS count FROM codes c WHERE c.product_id = :productId GROUP BY 1;

-- @name countReturnable
SELECT count(*)::int AS count FROM codes c WHERE c.product_id = :productId AND can_return(c, :marks);

-- Newest code first.
-- @name listCodes
-- @null after, wantedState
-- @type state: import('./stock.contract.ts').CodeState
SELECT c.id, c.position, code_state(c) AS state, can_return(c, :marks) AS can_return, c.ciphertext, c.sealed_parts,
  c.created_at, c.expires_at
FROM codes c
WHERE c.product_id = :productId AND (:after::bigint IS NULL OR c.position < :after)
  AND (:wantedState::text IS NULL OR code_state(c) = :wantedState)
ORDER BY c.position DESC LIMIT :limit;

-- @name voidSome
-- @null codeId
UPDATE codes SET state = 'void', updated_at = now() WHERE id IN (
  SELECT id FROM codes WHERE state = 'free' AND product_id = :productId AND (:codeId::uuid IS NULL OR id = :codeId)
  LIMIT :limit FOR UPDATE SKIP LOCKED)
RETURNING product_id;

-- Codes of format 1 have no mark, and are not withdrawn.
-- @name voidUnreadable
UPDATE codes SET state = 'void', updated_at = now() WHERE id IN (
  SELECT id FROM codes WHERE state = 'free'
    AND (has_mark(ciphertext, :marks) AND NOT is_marked(ciphertext, :marks) OR NOT is_marked(sealed_parts, :marks))
  LIMIT :limit FOR UPDATE SKIP LOCKED)
RETURNING product_id;

-- @name expireSome
UPDATE codes SET state = 'expired', updated_at = now() WHERE id IN (
  SELECT id FROM codes WHERE state = 'free' AND expires_at <= now() LIMIT :limit FOR UPDATE SKIP LOCKED)
RETURNING product_id;

-- @name returnSome
-- @null codeId
UPDATE codes SET state = 'free', payment_id = NULL, order_line_id = NULL, updated_at = now() WHERE id IN (
  SELECT c.id FROM codes c WHERE c.product_id = :productId AND (:codeId::uuid IS NULL OR c.id = :codeId) AND can_return(c, :marks)
  LIMIT :limit FOR UPDATE SKIP LOCKED)
RETURNING product_id;

-- The products whose codes are the stock of a product.
-- @name findStockedIds
SELECT id FROM products WHERE variant_of = :productId
UNION ALL SELECT id FROM products WHERE id = :productId AND NOT has_variants;

-- Locks a product, its bundles and the product of a variant, in the lock order of a checkout and of an edit.
-- @name lockStocked
SELECT FROM products WHERE id = ANY (ARRAY (
  SELECT bundle_id FROM bundle_parts WHERE product_id = :productId
  UNION ALL SELECT coalesce(variant_of, id) FROM products WHERE id = :productId
  UNION ALL SELECT :productId))
ORDER BY delivery <> 'bundle', variant_of IS NOT NULL, id FOR NO KEY UPDATE;

-- @name readStanding
SELECT p.is_out_of_stock AS was_out, NOT EXISTS (SELECT FROM codes c WHERE c.product_id = p.id AND is_free_code(c))
  AND NOT EXISTS (SELECT FROM supplied_products y WHERE y.product_id = p.id) AS is_out
FROM products p WHERE p.id = :productId AND p.delivery = 'code';
