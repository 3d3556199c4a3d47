-- The newest sale comes first.
-- @name listCustomers
-- @null after, next
WITH found AS MATERIALIZED (SELECT c.* FROM customers_of(:sellerId, :showsEmail) c
  WHERE :q::text = '' OR fits_customer(c.user_id, concat_ws(' ', c.name, c.email), :sellerId, fold_text(:q))),
page AS (SELECT *, row_number() OVER (ORDER BY last_at DESC, user_id DESC) AS n FROM found
  WHERE :after::uuid IS NULL
    OR (last_at, user_id) < (SELECT a.last_at, a.user_id FROM found a WHERE a.user_id = :after)
  ORDER BY n LIMIT :limit::int + 1)
SELECT coalesce(json_agg(customer_card(page.user_id, :sellerId, page.name, page.email, page.sales, page.net_cents, page.first_at,
    page.last_at) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(page.user_id ORDER BY n))[:limit] END AS next,
  (SELECT count(*)::int FROM found) AS total
FROM page;

-- @name readCustomer
-- @type card: object
-- @type bought: object[]
SELECT customer_card(c.user_id, :sellerId, c.name, c.email, c.sales, c.net_cents, c.first_at, c.last_at) AS card,
  coalesce((SELECT n.note FROM customer_notes n WHERE n.seller_id = :sellerId AND n.user_id = :id), '') AS note,
  (SELECT coalesce(json_agg(sale_card(s.sale, l) ORDER BY (s.sale).earned_at DESC, l.id), '[]')
    FROM (SELECT e AS sale FROM orders o JOIN earnings e ON e.order_id = o.id AND e.seller_id = :sellerId
      WHERE o.user_id = :id ORDER BY e.earned_at DESC, e.order_line_id LIMIT :limit) s
    JOIN order_lines l ON l.id = (s.sale).order_line_id) AS bought
FROM customers_of(:sellerId, :showsEmail) c WHERE c.user_id = :id;

-- No row: the member bought nothing from the seller, or is erased. The lock waits for an erasure under way.
-- @name saveNote
INSERT INTO customer_notes (seller_id, user_id, note)
SELECT :sellerId::uuid, u.id, :note::text FROM users u
WHERE u.id = :userId AND u.erased_at IS NULL AND is_customer(u.id, :sellerId) FOR SHARE
ON CONFLICT (seller_id, user_id) DO UPDATE SET note = excluded.note, updated_at = now() RETURNING user_id;

-- @name deleteNote
DELETE FROM customer_notes WHERE seller_id = :sellerId AND user_id = :userId;

-- @name isCustomer
SELECT is_customer(:userId, :sellerId) AS is_customer;
