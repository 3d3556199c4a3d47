-- The newest sale comes first. `after` is the newest sale of the last customer of the previous page, `counted` its total.
-- @name listCustomers
-- @null after, counted, next
WITH page AS MATERIALIZED (SELECT c.*, row_number() OVER (ORDER BY c.earned_at DESC, c.order_line_id) AS n
  FROM (SELECT * FROM newest_customers(:sellerId, :after::uuid) ORDER BY earned_at DESC, order_line_id LIMIT :limit::int + 1) c),
counted AS (SELECT coalesce(:counted::bigint, count_customers(:sellerId)) AS total)
SELECT coalesce(json_agg(customer_card(c.user_id, :sellerId, c.name, c.email, c.sales, c.net_cents, c.first_at, c.last_at)
    ORDER BY p.n) FILTER (WHERE p.n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(json_build_array((SELECT total FROM counted), p.order_line_id)::text ORDER BY p.n))[:limit]
    END AS next,
  (SELECT total FROM counted) AS total
FROM page p CROSS JOIN LATERAL customers_among(:sellerId, ARRAY[p.user_id], :showsEmail) c;

-- As `listCustomers`, with the customers that a search finds.
-- @name searchCustomers
-- @null after, counted, next, number
WITH found AS MATERIALIZED (SELECT user_id FROM find_customers(:sellerId, fold_text(:q), :number::text, :showsEmail)),
page AS MATERIALIZED (SELECT c.*, row_number() OVER (ORDER BY c.earned_at DESC, c.order_line_id) AS n
  FROM (SELECT * FROM newest_customers(:sellerId, :after::uuid) m WHERE m.user_id IN (SELECT user_id FROM found)
    ORDER BY m.earned_at DESC, m.order_line_id LIMIT :limit::int + 1) c),
counted AS (SELECT coalesce(:counted::bigint, (SELECT count(*) FROM found)) AS total)
SELECT coalesce(json_agg(customer_card(c.user_id, :sellerId, c.name, c.email, c.sales, c.net_cents, c.first_at, c.last_at)
    ORDER BY p.n) FILTER (WHERE p.n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(json_build_array((SELECT total FROM counted), p.order_line_id)::text ORDER BY p.n))[:limit]
    END AS next,
  (SELECT total FROM counted) AS total
FROM page p CROSS JOIN LATERAL customers_among(:sellerId, ARRAY[p.user_id], :showsEmail) c;

-- All customers, the newest sale first.
-- @name listCustomerIds
SELECT coalesce(array_agg(c.user_id ORDER BY c.last_at DESC, c.user_id), '{}') AS ids
FROM (SELECT o.user_id, max(e.earned_at) AS last_at FROM earnings e JOIN orders o ON o.id = e.order_id
  WHERE e.seller_id = :sellerId AND o.user_id <> :sellerId GROUP BY 1) c;

-- In the order of `ids`.
-- @name readCustomerCards
SELECT coalesce(json_agg(customer_card(c.user_id, :sellerId, c.name, c.email, c.sales, c.net_cents, c.first_at, c.last_at)
  ORDER BY array_position(:ids::uuid[], c.user_id)), '[]')::text AS json
FROM customers_among(:sellerId, :ids, :showsEmail) c;

-- @name readCustomer
-- @type card: object
-- @type bought: object[]
SELECT customer_card(c.user_id, :sellerId, c.name, c.email, c.sales, c.net_cents, c.first_at, c.last_at) AS card,
  coalesce((SELECT n.note FROM customer_notes n WHERE n.seller_id = :sellerId AND n.user_id = :id), '') AS note,
  note_version(:sellerId, :id) AS note_version,
  (SELECT coalesce(json_agg(sale_card(s.sale, l) ORDER BY (s.sale).earned_at DESC, l.id), '[]')
    FROM (SELECT e AS sale FROM orders o JOIN earnings e ON e.order_id = o.id AND e.seller_id = :sellerId
      WHERE o.user_id = :id ORDER BY e.earned_at DESC, e.order_line_id LIMIT :limit) s
    JOIN order_lines l ON l.id = (s.sale).order_line_id) AS bought
FROM customers_among(:sellerId, ARRAY[:id::uuid], :showsEmail) c;

-- `version` is 0 for a new note. No row: the member bought nothing from the seller or is erased, or the note has another version. The
-- lock waits for an erasure under way.
-- @name saveNote
INSERT INTO customer_notes AS n (seller_id, user_id, note)
SELECT :sellerId::uuid, u.id, :note::text FROM users u
WHERE u.id = :userId AND u.erased_at IS NULL AND is_customer(u.id, :sellerId)
  AND (:version::bigint = 0 OR note_version(:sellerId, u.id) = :version) FOR SHARE
ON CONFLICT (seller_id, user_id) DO UPDATE SET note = excluded.note, updated_at = now() WHERE micros_of(n.updated_at) = :version
RETURNING micros_of(n.updated_at) AS version;

-- No row: the note has another version, or there is none.
-- @name deleteNote
DELETE FROM customer_notes WHERE seller_id = :sellerId AND user_id = :userId AND micros_of(updated_at) = :version::bigint
RETURNING user_id;

-- @name readNoteState
SELECT is_customer(:userId, :sellerId) AS is_customer, note_version(:sellerId, :userId) AS version;
