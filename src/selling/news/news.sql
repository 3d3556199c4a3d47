-- @name readLow
SELECT p.id AS product_id, coalesce(l.low_at, :usualLow::int) AS low_at,
  (SELECT count(*) FROM codes c WHERE c.product_id = p.id AND is_free_code(c)) AS left
FROM unnest(:productIds::uuid[]) p (id) LEFT JOIN stock_limits l ON l.product_id = p.id;

-- Adds to the digest of the day.
-- @name addToDigest
INSERT INTO seller_digests AS d (user_id, day, sales, sold_cents, refunds, refunded_cents, reviews, low)
VALUES (:userId, utc_day(now()), :sales, :soldCents, :refunds, :refundedCents, :reviews, :low)
ON CONFLICT (user_id, day) DO UPDATE SET sales = d.sales + excluded.sales, sold_cents = d.sold_cents + excluded.sold_cents,
  refunds = d.refunds + excluded.refunds, refunded_cents = d.refunded_cents + excluded.refunded_cents,
  reviews = d.reviews + excluded.reviews, low = d.low + excluded.low;

-- Deletes and returns digests of past days. `email` is null if the account is erased.
-- @name takeDigests
-- @null email
DELETE FROM seller_digests d USING users u WHERE u.id = d.user_id AND (d.user_id, d.day) IN (
  SELECT user_id, day FROM seller_digests WHERE day < utc_day(now()) ORDER BY day, user_id
  LIMIT :limit FOR UPDATE SKIP LOCKED)
RETURNING d.user_id, d.day, d.sales, d.sold_cents, d.refunds, d.refunded_cents, d.reviews, d.low,
  CASE WHEN u.erased_at IS NULL THEN u.email END AS email;
