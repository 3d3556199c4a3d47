-- `takenBy` limits the page to one person's cases. Open cases that the seller answered come first. `isFirst`, `at` and `id` are the
-- keys of the last case of the previous page.
-- @name readPage
-- @null isFirst, at, id, takenBy, next
WITH hits AS MATERIALIZED (
  SELECT id, (is_waiting AND answered_at IS NOT NULL) AS is_first, last_at FROM report_cases
  WHERE is_waiting = :isWaiting AND (:takenBy::uuid IS NULL OR taken_by = :takenBy)
    AND (:id::uuid IS NULL OR ((is_waiting AND answered_at IS NOT NULL), last_at, id) < (:isFirst::boolean, moment_of(:at), :id))
  ORDER BY is_first DESC, last_at DESC, id DESC LIMIT :limit::int + 1),
page AS (SELECT *, row_number() OVER (ORDER BY is_first DESC, last_at DESC, id DESC) AS n FROM hits)
SELECT coalesce(json_agg(c ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  (SELECT count(*) FROM (SELECT FROM report_cases
    WHERE is_waiting = :isWaiting AND (:takenBy IS NULL OR taken_by = :takenBy) LIMIT 1000) counted) AS total,
  CASE WHEN count(*) > :limit
    THEN max(json_build_array(h.is_first::int, micros_of(h.last_at), h.id)::text) FILTER (WHERE n = :limit) END AS next
FROM page h JOIN case_card c ON c.id = h.id;

-- @name readCaseFile
SELECT to_json(x)::text AS json FROM (
  SELECT k.*, decimal_of(p.price_cents) AS price, p.is_listed AS "isListed",
    (SELECT coalesce(sum(quantity), 0) FROM (SELECT l.quantity FROM order_lines l JOIN orders o ON o.id = l.order_id
      WHERE l.product_id = p.id AND o.status IN ('completed', 'refunded') LIMIT 10000) sold) AS sold,
    CASE WHEN p.rated > 0 THEN json_build_object('stars', p.rated / 1000000 / 10.0, 'reviews', p.rated % 1000000) END AS rated,
    (SELECT json_build_object('stars', r.stars, 'text', r.text, 'author', r.author,
        'answer', (SELECT json_build_object('text', a.body, 'why', a.taken_down) FROM review_answers a WHERE a.review_id = r.id))
      FROM review_card r WHERE r.id = c.review_id) AS review,
    (SELECT coalesce(json_agg(json_build_object('reason', reason, 'note', note, 'at', iso_of(created_at),
        'isBuyer', EXISTS (SELECT FROM entitlements e WHERE e.user_id = said.user_id AND e.product_id = p.id))
        ORDER BY created_at DESC), '[]')
      FROM (SELECT * FROM reports WHERE case_id = c.id ORDER BY created_at DESC LIMIT 100) said) AS said,
    CASE WHEN c.review_id IS NULL THEN p.taken_down ELSE v.taken_down END AS why,
    iso_of(c.decided_at) AS "decidedAt", (SELECT email FROM users WHERE id = c.decided_by) AS "decidedBy", c.question, c.answer,
    c.is_waiting AS "isWaiting", coalesce(:readerId::uuid IN (p.seller_id, v.user_id), false) AS "isOwn",
    (SELECT s.seller FROM seller_standing s WHERE s.id = p.seller_id) AS seller
  FROM report_cases c JOIN case_card k ON k.id = c.id JOIN products p ON p.id = c.product_id
  LEFT JOIN reviews v ON v.id = c.review_id
  WHERE c.id = :id::uuid) x;
