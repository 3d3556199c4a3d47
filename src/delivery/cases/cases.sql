-- @name insertCase
INSERT INTO code_cases (code_id, order_line_id, user_id, seller_id, reason, note, answer_by)
SELECT c.id, coalesce(g.order_line_id, l.id), :userId::uuid, l.seller_id, :reason::text, :note::text,
  now() + :hours::double precision * interval '1 hour'
FROM codes c JOIN order_lines l ON l.id = c.order_line_id LEFT JOIN gifts g ON g.id = l.gift_id
WHERE c.id = :codeId
ON CONFLICT (code_id) DO NOTHING RETURNING *;

-- Cases past their deadline, and cases whose code was revoked. Skips cases that other nodes lock.
-- @name lockLateCases
SELECT k.*, c.state <> 'sold' AS is_gone FROM code_cases k JOIN codes c ON c.id = k.code_id
WHERE (k.state = 'seller' AND k.answer_by <= now()) OR (k.state IN ('seller', 'staff') AND c.state <> 'sold')
ORDER BY k.answer_by LIMIT :limit FOR UPDATE OF k SKIP LOCKED;

-- @name followRefunds
WITH over AS (SELECT k.id, r.status = 'completed' AS is_made FROM code_cases k JOIN refunds r ON r.id = k.refund_id
  WHERE (k.state = 'refunding' AND r.status <> 'requested') OR (k.state = 'staff' AND r.status = 'completed')
  LIMIT :limit FOR UPDATE OF k SKIP LOCKED)
UPDATE code_cases k SET state = CASE WHEN is_made THEN 'refunded' ELSE 'staff' END,
  decided_at = CASE WHEN is_made THEN coalesce(k.decided_at, now()) END,
  decided_by = CASE WHEN is_made THEN k.decided_by END, words = CASE WHEN is_made THEN k.words ELSE '' END
FROM over WHERE k.id = over.id RETURNING k.*;

-- Replaces the bad code by the next one in stock. Returns no row if the stock is empty.
-- @name replaceCode
WITH bad AS (SELECT * FROM codes WHERE id = :codeId AND state = 'sold'),
next AS (SELECT c.id FROM codes c JOIN bad ON bad.product_id = c.product_id
  WHERE is_free_code(c) ORDER BY c.position LIMIT 1 FOR UPDATE OF c SKIP LOCKED),
given AS (UPDATE codes c SET state = 'sold', payment_id = bad.payment_id, order_line_id = bad.order_line_id, updated_at = now()
  FROM bad WHERE c.id = (SELECT id FROM next) RETURNING c.id, c.product_id),
ended AS (UPDATE codes c SET state = 'void', updated_at = now() WHERE c.id = :codeId AND EXISTS (SELECT FROM given))
SELECT id, product_id FROM given;

-- @name readCase
-- @null decided_at
-- @type state: import('./cases.rules.ts').CodeCaseState
-- @type reason: import('./cases.rules.ts').CaseReason
-- @type counts: { buyer: number; seller: number }
-- @type reveals: { count: number; firstAt: string | null; lastAt: string | null }
SELECT c.id, c.ciphertext, c.product_id, c.title, c.order_id, c.state, c.reason, c.note, c.seller_words, c.words, c.opened_at,
  iso_of(c.answer_by) AS answer_by, iso_of(c.decided_at) AS decided_at, c.can_replace, c.is_refund_failed, c.counts,
  c.sale_id, c.reveals, c.is_gift
FROM code_case_card c WHERE c.id = :id;

-- Next deadline first. Without `sellerId`: the cases of staff.
-- @name readOpenCases
-- @null sellerId, after
-- @null decided_at
-- @type state: import('./cases.rules.ts').CodeCaseState
-- @type reason: import('./cases.rules.ts').CaseReason
-- @type counts: { buyer: number; seller: number }
-- @type reveals: { count: number; firstAt: string | null; lastAt: string | null }
SELECT c.id, c.ciphertext, c.product_id, c.title, c.order_id, c.state, c.reason, c.note, c.seller_words, c.words, c.opened_at,
  iso_of(c.answer_by) AS answer_by, iso_of(c.decided_at) AS decided_at, c.can_replace, c.is_refund_failed, c.counts,
  c.sale_id, c.reveals, c.is_gift
FROM code_case_card c
WHERE (:sellerId::uuid IS NULL OR c.seller_id = :sellerId)
  AND (c.state = 'staff' OR :sellerId IS NOT NULL AND c.state = 'seller')
  AND (:after::uuid IS NULL OR (c.answer_by, c.id) > (SELECT a.answer_by, a.id FROM code_cases a WHERE a.id = :after))
ORDER BY c.answer_by, c.id LIMIT :limit;

-- Newest decision first.
-- @name readEndedCases
-- @null sellerId, after
-- @null decided_at
-- @type state: import('./cases.rules.ts').CodeCaseState
-- @type reason: import('./cases.rules.ts').CaseReason
-- @type counts: { buyer: number; seller: number }
-- @type reveals: { count: number; firstAt: string | null; lastAt: string | null }
SELECT c.id, c.ciphertext, c.product_id, c.title, c.order_id, c.state, c.reason, c.note, c.seller_words, c.words, c.opened_at,
  iso_of(c.answer_by) AS answer_by, iso_of(c.decided_at) AS decided_at, c.can_replace, c.is_refund_failed, c.counts,
  c.sale_id, c.reveals, c.is_gift
FROM code_case_card c
WHERE (:sellerId::uuid IS NULL OR c.seller_id = :sellerId) AND c.decided_at IS NOT NULL
  AND (:after::uuid IS NULL OR (c.decided_at, c.id) < (SELECT a.decided_at, a.id FROM code_cases a WHERE a.id = :after))
ORDER BY c.decided_at DESC, c.id DESC LIMIT :limit;
