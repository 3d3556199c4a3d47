-- The two sides of a sale, if the member is one of them.
-- @name findSides
-- @type side: 'buyer' | 'seller'
SELECT o.user_id AS buyer_id, e.seller_id, o.id AS order_id, l.title, CASE WHEN o.user_id = :userId THEN 'buyer' ELSE 'seller' END AS side,
  shown_name(u, 'A member') AS name, u.erased_at IS NULL AS can_reply
FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = e.order_id
JOIN users u ON u.id = CASE WHEN o.user_id = :userId THEN e.seller_id ELSE o.user_id END
WHERE e.order_line_id = :id AND :userId IN (o.user_id, e.seller_id) AND o.user_id <> e.seller_id;

-- @name findThread
-- @null blocked_by, reported_by
-- @type blocked_by: 'buyer' | 'seller' | null
-- @type reported_by: 'buyer' | 'seller' | null
-- @type messages: import('./messages.contract.ts').Message[]
SELECT side_of(t, t.blocked_by) AS blocked_by, side_of(t, t.reported_by) AS reported_by,
  messages_of(t, :limit) AS messages, last_message_at(t, t.seller_id) > t.buyer_read_at AS has_news_for_buyer,
  last_message_at(t, t.buyer_id) > t.seller_read_at AS has_news_for_seller
FROM message_threads t WHERE t.buyer_id = :buyerId AND t.seller_id = :sellerId;

-- Creates the thread of both sides if there is none, and locks it.
-- @name lockThread
-- @null blocked_by
INSERT INTO message_threads AS t (buyer_id, seller_id) VALUES (:buyerId, :sellerId)
ON CONFLICT (buyer_id, seller_id) DO UPDATE SET buyer_id = excluded.buyer_id RETURNING t.id, t.blocked_by;

-- Messages of the author since the last one of the other side, and whether the other side has read all of them.
-- @name readUnanswered
SELECT count(m.id)::int AS count, coalesce(bool_and(m.created_at <= CASE WHEN :authorId = t.buyer_id THEN t.seller_read_at
    ELSE t.buyer_read_at END), true) AS is_read
FROM message_threads t LEFT JOIN thread_messages m ON m.thread_id = t.id AND m.author_id = :authorId::uuid
  AND m.created_at > coalesce((SELECT max(o.created_at) FROM thread_messages o
    WHERE o.thread_id = t.id AND o.author_id <> :authorId), '-infinity')
WHERE t.id = :threadId;

-- No row: a repeated call.
-- @name addMessage
INSERT INTO thread_messages (id, thread_id, author_id, order_line_id, body)
VALUES (:messageId, :threadId, :authorId, :lineId, :text) ON CONFLICT (id) DO NOTHING RETURNING id;

-- @name markRead
UPDATE message_threads SET buyer_read_at = CASE WHEN :userId = buyer_id THEN now() ELSE buyer_read_at END,
  seller_read_at = CASE WHEN :userId = seller_id THEN now() ELSE seller_read_at END
WHERE buyer_id = :buyerId AND seller_id = :sellerId AND :userId::uuid IN (buyer_id, seller_id);

-- @name blockThread
UPDATE message_threads SET blocked_by = :userId WHERE id = :threadId AND blocked_by IS NULL;

-- @name openThread
UPDATE message_threads SET blocked_by = NULL WHERE id = :threadId AND blocked_by = :userId;

-- @name reportThread
UPDATE message_threads SET reported_by = :userId, reported_at = now(), report_note = :note WHERE id = :threadId;

-- @name listOrderSellers
SELECT coalesce(json_agg(row_to_json(x) ORDER BY x.name, x."lineId"), '[]')::text AS json FROM (
  SELECT (array_agg(l.id ORDER BY l.position))[1] AS "lineId",
    (SELECT shown_name(s, 'A seller') FROM users s WHERE s.id = e.seller_id) AS name,
    json_agg(l.title ORDER BY l.position) AS titles,
    (SELECT count(*) FROM message_threads t JOIN thread_messages m ON m.thread_id = t.id
      WHERE t.buyer_id = o.user_id AND t.seller_id = e.seller_id) AS messages,
    EXISTS (SELECT FROM message_threads t WHERE t.buyer_id = o.user_id AND t.seller_id = e.seller_id
      AND last_message_at(t, t.seller_id) > t.buyer_read_at) AS "isUnread"
  FROM orders o JOIN earnings e ON e.order_id = o.id JOIN order_lines l ON l.id = e.order_line_id
  WHERE o.id = :id AND o.user_id = :userId AND e.seller_id <> o.user_id GROUP BY e.seller_id, o.user_id) x;

-- @name listStaffThreads
-- @null memberId, orderId
SELECT coalesce(json_agg(staff_thread(t, :limit) ORDER BY n), '[]')::text AS json FROM (
  SELECT x AS t, row_number() OVER (ORDER BY greatest(last_message_at(x, x.buyer_id), last_message_at(x, x.seller_id)) DESC, x.id) AS n
  FROM message_threads x
  WHERE :memberId::uuid IN (x.buyer_id, x.seller_id) OR EXISTS (SELECT FROM orders o JOIN earnings e ON e.order_id = o.id
    WHERE o.id = :orderId::uuid AND o.user_id = x.buyer_id AND e.seller_id = x.seller_id)
  ORDER BY n LIMIT :most::int) found;

-- @name forgetMessages
DELETE FROM thread_messages WHERE author_id = :userId;

-- @name forgetReports
UPDATE message_threads SET report_note = NULL, reported_at = NULL, reported_by = NULL WHERE reported_by = :userId;

-- @name forgetEmptyThreads
DELETE FROM message_threads t WHERE :userId::uuid IN (t.buyer_id, t.seller_id)
  AND NOT EXISTS (SELECT FROM thread_messages m WHERE m.thread_id = t.id);
