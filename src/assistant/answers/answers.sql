-- A question that staff wrote stays without a message, even if a customer's message has the same words.
-- @name saveLesson
-- @null messageId, slug, answer
INSERT INTO chat_lessons (question, message_id, slug, answer, staff_id) VALUES (:question, :messageId, :slug, :answer, :staffId)
ON CONFLICT (question) DO UPDATE SET slug = excluded.slug, answer = excluded.answer, staff_id = excluded.staff_id,
  message_id = CASE WHEN chat_lessons.message_id IS NOT NULL THEN excluded.message_id END
RETURNING id;

-- @name deleteLesson
DELETE FROM chat_lessons WHERE id = :id RETURNING id;

-- @name readLessons
SELECT id, question, slug, answer FROM chat_lessons ORDER BY created_at DESC LIMIT 500;

-- The newest orders of a member that match. `number` is the last eight characters of an id.
-- @name findPurchases
-- @null number, orderStatus, ids, minutes_left
-- @type lines: { title: string; quantity: number; delivery: string | null; productId: string }[]
SELECT o.id, o.status, o.total_cents AS cents, iso_of(o.created_at) AS at, e.reason_code AS code,
  CASE WHEN o.status = 'pending' THEN greatest(0, ceil(extract(epoch FROM o.expires_at - now()) / 60))::int END AS minutes_left,
  EXISTS (SELECT FROM risk_holds h WHERE h.order_id = o.id AND h.kind = 'hold' AND h.state = 'open') AS is_held,
  (SELECT coalesce(json_agg(json_build_object('title', l.title, 'quantity', l.quantity, 'delivery', l.delivery,
    'productId', l.product_id) ORDER BY l.position), '[]') FROM order_lines l WHERE l.order_id = o.id) AS lines
FROM orders o LEFT JOIN LATERAL (SELECT v.reason_code FROM order_events v WHERE v.order_id = o.id ORDER BY v.id DESC LIMIT 1) e ON true
WHERE o.user_id = :userId AND (:number::text IS NULL OR right(o.id::text, 8) = :number)
  AND (:orderStatus::text IS NULL OR o.status = :orderStatus) AND (:ids::uuid[] IS NULL OR o.id = ANY (:ids))
ORDER BY o.created_at DESC, o.id DESC LIMIT :most::int;

-- The newest purchases of a member; `owned` counts all.
-- @name readOwned
SELECT l.title, l.order_id, l.delivery, (count(*) OVER ())::int AS owned
FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id AND o.status = 'completed'
WHERE e.user_id = :userId AND e.revoked_at IS NULL ORDER BY e.created_at DESC LIMIT 100;

-- @name readSpending
SELECT s.spent, coalesce((SELECT greatest(balance_cents, 0) FROM credit_accounts WHERE user_id = :userId), 0)::bigint AS credit
FROM purchase_sums(:userId::uuid) s;
