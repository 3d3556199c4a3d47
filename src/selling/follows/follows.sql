-- The followed sellers, newest first. `handle` is null for a seller without a page.
-- @name listFollowed
SELECT coalesce(json_agg(json_build_object('id', u.id, 'name', shown_name(u, 'Primo seller'), 'handle', s.handle,
  'since', iso_of(f.since)) ORDER BY f.since DESC, u.id), '[]')::text AS json
FROM follows f JOIN users u ON u.id = f.seller_id LEFT JOIN storefronts s ON s.user_id = u.id AND s.opened_at IS NOT NULL
WHERE f.user_id = :userId;

-- @name readSellerName
SELECT shown_name(u, 'this seller') AS name FROM users u WHERE u.id = :sellerId;

-- `is_mailed`: the member receives mails about followed sellers.
-- @name addFollow
WITH page AS (SELECT user_id AS id FROM storefronts WHERE user_id = :sellerId AND opened_at IS NOT NULL),
wanted AS (SELECT id FROM page WHERE id <> :userId AND NOT is_seller_suspended(id)),
followed AS (
  INSERT INTO follows (user_id, seller_id, source)
  SELECT :userId, id, :source FROM wanted
  WHERE (SELECT count(*) FROM follows WHERE user_id = :userId AND seller_id <> :sellerId) < :maxFollowed::int
  ON CONFLICT (user_id, seller_id) DO UPDATE SET source = follows.source
  RETURNING 1)
SELECT EXISTS (SELECT FROM page) AS has_page, EXISTS (SELECT FROM wanted) AS can_follow,
  EXISTS (SELECT FROM followed) AS is_followed, gets_follow_mails(u) AS is_mailed
FROM users u WHERE u.id = :userId;

-- Sellers with new products, newest first. `product` is the newest product of the seller. Counts to 1,000.
-- @name listNewProducts
SELECT coalesce(json_agg(json_build_object('sellerId', x.seller_id, 'seller', shown_name(u, 'Primo seller'), 'handle', s.handle,
  'count', c.count, 'publishedAt', iso_of(x.published_at), 'product', json_build_object('id', p.id, 'title', p.title,
    'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp'))
  ORDER BY x.published_at DESC, x.seller_id), '[]')::text AS json
FROM (SELECT f.seller_id, k.since, n.product_id, n.published_at FROM follows f
  CROSS JOIN LATERAL (SELECT greatest(f.seen_until, now() - :days::int * interval '1 day') AS since) k
  CROSS JOIN LATERAL (SELECT b.product_id, b.published_at FROM published_by(f.seller_id, k.since, now()) b
    ORDER BY b.published_at DESC, b.product_id LIMIT 1) n
  WHERE f.user_id = :userId ORDER BY n.published_at DESC, f.seller_id LIMIT :limit::int) x
CROSS JOIN LATERAL (SELECT count(*) AS count FROM (SELECT FROM published_by(x.seller_id, x.since, now()) LIMIT 1000) b) c
JOIN users u ON u.id = x.seller_id JOIN storefronts s ON s.user_id = x.seller_id JOIN products p ON p.id = x.product_id;

-- Hides the new products of a seller up to the shown moment, which has milliseconds only.
-- @name dismissNewProducts
UPDATE follows SET seen_until = greatest(seen_until, least(now(), :until::timestamptz + interval '1 millisecond'))
WHERE user_id = :userId AND seller_id = :sellerId;

-- Claims the sellers with new products of each follower who was not notified today, least recently announced first. Announces
-- the products of earlier days, in UTC. Leaves out products that are not for sale at this moment: sold out, withdrawn or taken
-- down. Two nodes never claim the same products for a follower.
-- @name claimNewProducts
-- @null email
-- @type titles: string[]
WITH fresh AS MATERIALIZED (
  SELECT n.seller_id, max(n.published_at) AS newest FROM publications n JOIN products p ON p.id = n.product_id
  WHERE n.published_at > now() - :days::int * interval '1 day' AND n.published_at <= date_trunc('day', now(), 'UTC') AND p.is_listed
  GROUP BY n.seller_id),
followers AS MATERIALIZED (
  SELECT DISTINCT f.user_id FROM fresh n JOIN follows f ON f.seller_id = n.seller_id AND f.notified_until < n.newest
  JOIN users u ON u.id = f.user_id AND u.erase_at IS NULL
  WHERE NOT EXISTS (SELECT FROM follows t WHERE t.user_id = f.user_id AND t.notified_on = utc_day(now()))
  ORDER BY f.user_id LIMIT :limit::int),
chosen AS MATERIALIZED (SELECT f.user_id, f.seller_id, f.notified_until FROM followers w JOIN follows f ON f.user_id = w.user_id
  JOIN fresh n ON n.seller_id = f.seller_id AND f.notified_until < n.newest),
claimed AS (
  UPDATE follows f SET notified_until = date_trunc('day', now(), 'UTC'), notified_on = utc_day(now()) FROM chosen c
  WHERE f.user_id = c.user_id AND f.seller_id = c.seller_id AND f.notified_until = c.notified_until
  RETURNING f.user_id, f.seller_id, c.notified_until AS since)
SELECT c.user_id, c.seller_id, utc_day(now())::text AS day, shown_name(s, 'A seller') AS seller, h.handle, n.count, n.product_id,
  n.titles, u.wants_follows, CASE WHEN gets_follow_mails(u) THEN u.email END AS email
FROM claimed c JOIN users u ON u.id = c.user_id JOIN users s ON s.id = c.seller_id JOIN storefronts h ON h.user_id = c.seller_id
CROSS JOIN LATERAL (SELECT count(*)::int AS count, (array_agg(b.product_id ORDER BY b.place))[1] AS product_id,
    json_agg(b.title ORDER BY b.place) FILTER (WHERE b.place <= :maxTitles::int) AS titles
  FROM (SELECT p.product_id, p.title, row_number() OVER (ORDER BY p.published_at, p.product_id) AS place FROM published_by(c.seller_id,
    greatest(c.since, now() - :days::int * interval '1 day'), date_trunc('day', now(), 'UTC')) p) b) n
ORDER BY c.user_id, c.since, c.seller_id;
