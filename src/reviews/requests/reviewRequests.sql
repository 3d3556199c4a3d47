-- Decides about due requests, each once: a concurrent job skips locked rows. `email` is null without consent to such mail.
-- @name decideDue
-- @null email
WITH due AS MATERIALIZED (
  SELECT q.user_id, q.product_id FROM review_requests q
  WHERE q.state = 'waiting' AND q.used_at <= now() - :days::int * interval '1 day'
  ORDER BY q.used_at LIMIT :limit::int FOR UPDATE SKIP LOCKED),
decided AS (
  UPDATE review_requests q SET state = CASE WHEN a.is_asked THEN 'asked' ELSE 'skipped' END,
    asked_at = CASE WHEN a.is_asked THEN now() END
  FROM due d CROSS JOIN LATERAL (SELECT may_be_asked(d.user_id, d.product_id) AS is_asked) a
  WHERE q.user_id = d.user_id AND q.product_id = d.product_id
  RETURNING q.user_id, q.product_id, q.state)
SELECT d.user_id, d.product_id, d.state = 'asked' AS is_asked, p.title,
  CASE WHEN u.wants_review_mails AND u.email_verified AND u.mail_refused_at IS NULL THEN u.email END AS email
FROM decided d JOIN users u ON u.id = d.user_id JOIN products p ON p.id = d.product_id;

-- Open requests of the last 60 days, newest first.
-- @name listAsked
SELECT coalesce(json_agg(json_build_object('productId', p.id, 'title', p.title, 'categoryId', p.category_id,
    'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'askedAt', iso_of(q.asked_at)) ORDER BY q.asked_at DESC, p.id),
  '[]')::text AS json
FROM (SELECT product_id, asked_at FROM review_requests
  WHERE user_id = :userId AND state = 'asked' AND asked_at > now() - interval '60 days' AND may_be_asked(user_id, product_id)
  ORDER BY asked_at DESC, product_id LIMIT :limit::int) q
JOIN products p ON p.id = q.product_id;
