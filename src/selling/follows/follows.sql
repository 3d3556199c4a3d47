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
  WHERE (SELECT count(*) FROM follows WHERE user_id = :userId AND seller_id <> :sellerId) < :most::int
  ON CONFLICT (user_id, seller_id) DO UPDATE SET source = follows.source
  RETURNING 1)
SELECT EXISTS (SELECT FROM page) AS has_page, EXISTS (SELECT FROM wanted) AS can_follow,
  EXISTS (SELECT FROM followed) AS is_followed, gets_follow_mails(u) AS is_mailed
FROM users u WHERE u.id = :userId;

-- Sellers with new products, newest first. `product` is the newest product of the seller.
-- @name listNews
SELECT coalesce(json_agg(json_build_object('sellerId', x.seller_id, 'seller', shown_name(u, 'Primo seller'), 'handle', s.handle,
  'count', x.count, 'publishedAt', iso_of(x.published_at), 'product', json_build_object('id', p.id, 'title', p.title,
    'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp'))
  ORDER BY x.published_at DESC, x.seller_id), '[]')::text AS json
FROM (SELECT f.seller_id, count(*) AS count, max(n.published_at) AS published_at,
    (array_agg(n.product_id ORDER BY n.published_at DESC, n.product_id))[1] AS product_id
  FROM follows f CROSS JOIN LATERAL
    published_by(f.seller_id, greatest(f.seen_until, now() - :days::int * interval '1 day'), now()) n
  WHERE f.user_id = :userId GROUP BY f.seller_id ORDER BY 3 DESC, 1 LIMIT :limit::int) x
JOIN users u ON u.id = x.seller_id JOIN storefronts s ON s.user_id = x.seller_id JOIN products p ON p.id = x.product_id;

-- Hides the news of a seller up to the shown moment, which has milliseconds only.
-- @name dismissNews
UPDATE follows SET seen_until = greatest(seen_until, least(now(), :until::timestamptz + interval '1 millisecond'))
WHERE user_id = :userId AND seller_id = :sellerId;

-- Claims one seller for each follower who was not told today: the seller with the product that waits longest. Two nodes
-- never claim the same products for a follower. A product waits an hour, so that its seller can take it back.
-- @name claimNews
-- @null email
-- @type titles: string[]
WITH fresh AS MATERIALIZED (
  SELECT n.seller_id, n.published_at FROM publications n JOIN products p ON p.id = n.product_id
  WHERE n.published_at > now() - :days::int * interval '1 day' AND n.published_at <= now() - interval '1 hour' AND p.is_listed),
chosen AS MATERIALIZED (
  SELECT DISTINCT ON (f.user_id) f.user_id, f.seller_id, f.told_until
  FROM fresh n JOIN follows f ON f.seller_id = n.seller_id AND f.told_until < n.published_at
  JOIN users u ON u.id = f.user_id AND u.erase_at IS NULL
  WHERE NOT EXISTS (SELECT FROM follows t WHERE t.user_id = f.user_id AND t.told_on = utc_day(now()))
  ORDER BY f.user_id, n.published_at, f.seller_id LIMIT :limit::int),
claimed AS (
  UPDATE follows f SET told_until = now() - interval '1 hour', told_on = utc_day(now()) FROM chosen c
  WHERE f.user_id = c.user_id AND f.seller_id = c.seller_id AND f.told_until = c.told_until
  RETURNING f.user_id, f.seller_id, c.told_until AS since)
SELECT c.user_id, c.seller_id, utc_day(now())::text AS day, shown_name(s, 'A seller') AS seller, h.handle, n.count,
  n.product_id, n.titles, CASE WHEN gets_follow_mails(u) THEN u.email END AS email
FROM claimed c JOIN users u ON u.id = c.user_id JOIN users s ON s.id = c.seller_id JOIN storefronts h ON h.user_id = c.seller_id
CROSS JOIN LATERAL (SELECT count(*)::int AS count, (array_agg(b.product_id ORDER BY b.place))[1] AS product_id,
    json_agg(b.title ORDER BY b.place) FILTER (WHERE b.place <= :most::int) AS titles
  FROM (SELECT p.product_id, p.title, row_number() OVER (ORDER BY p.published_at, p.product_id) AS place FROM published_by(
    c.seller_id, greatest(c.since, now() - :days::int * interval '1 day'), now() - interval '1 hour') p) b) n;
