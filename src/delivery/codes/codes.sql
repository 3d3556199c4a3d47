-- Codes that other transactions are reserving count as free.
-- @name isNearlyOut
SELECT NOT EXISTS (SELECT FROM codes WHERE product_id = :productId AND state = 'free' OFFSET :lastCodes) AS is_out;

-- Puts refunded, unseen codes back on sale. Seen codes are never sold again.
-- @name takeCopiesBack
-- @type lines: string
WITH wanted AS (
  SELECT c.id FROM json_to_recordset(:lines::json) AS l (id uuid, quantity int)
  CROSS JOIN LATERAL (
    SELECT id FROM codes WHERE order_line_id = l.id AND state = 'sold' AND gift_id IS NULL
    -- first codes whose case is refunded, then codes that can be sold again
    ORDER BY EXISTS (SELECT FROM code_cases k WHERE k.code_id = codes.id AND k.state IN ('refunding', 'refunded')) DESC,
      seen_at IS NULL DESC, position DESC LIMIT l.quantity) c)
UPDATE codes SET updated_at = now(), state = CASE WHEN seen_at IS NULL THEN 'free' ELSE 'void' END,
  payment_id = CASE WHEN seen_at IS NOT NULL THEN payment_id END,
  order_line_id = CASE WHEN seen_at IS NOT NULL THEN order_line_id END
WHERE id IN (SELECT id FROM wanted) RETURNING product_id;

-- @name readCodes
-- @type report: import('../cases/report.contract.ts').CodeReport | null
SELECT c.id, c.ciphertext, c.sealed_parts, c.used_at,
  (SELECT code_report(k) FROM code_cases k WHERE k.code_id = c.id) AS report
FROM codes c WHERE c.order_line_id = :lineId AND c.state = 'sold' AND c.gift_id IS NULL ORDER BY c.position;

-- @name findOwners
SELECT c.fingerprint, p.seller_id FROM codes c JOIN products p ON p.id = c.product_id
WHERE c.fingerprint = ANY (:fingerprints::text[]);

-- @name insertCodes
-- @type sealedParts: (Buffer | null)[]
-- @type days: (string | null)[]
INSERT INTO codes (product_id, ciphertext, sealed_parts, fingerprint, expires_at)
SELECT :productId::uuid, n.ciphertext, n.sealed_parts, n.fingerprint, (n.day + 1)::timestamp AT TIME ZONE 'UTC'
FROM unnest(:ciphertexts::bytea[], :sealedParts::bytea[], :fingerprints::text[], :days::date[])
  WITH ORDINALITY AS n (ciphertext, sealed_parts, fingerprint, day, number)
ORDER BY n.number ON CONFLICT (fingerprint) DO NOTHING RETURNING fingerprint;

-- The number of lines that a member listed today, and of the member's codes for sale.
-- @name readListed
SELECT coalesce(l.lines, 0) AS lines, coalesce(l.of_others, 0) AS of_others,
  (SELECT count(*)::int FROM (SELECT FROM products p JOIN codes c ON c.product_id = p.id AND c.state = 'free'
    WHERE p.seller_id = :sellerId LIMIT :maxFree) free) AS free
FROM (SELECT) one LEFT JOIN code_lists l ON l.user_id = :sellerId AND l.day = utc_day(now());

-- @name addListed
INSERT INTO code_lists AS l (user_id, day, lines, of_others) VALUES (:sellerId, utc_day(now()), :lines, :ofOthers)
ON CONFLICT (user_id, day) DO UPDATE SET lines = l.lines + excluded.lines, of_others = l.of_others + excluded.of_others
RETURNING of_others;
