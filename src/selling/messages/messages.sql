-- The two sides of a sale, if the member is one of them.
-- @name findSides
-- @type side: 'buyer' | 'seller'
SELECT o.user_id AS buyer_id, e.seller_id, u.id AS other_id, o.id AS order_id, l.title, shown_name(u, 'A member') AS name,
  CASE WHEN o.user_id = :userId THEN 'buyer' ELSE 'seller' END AS side
FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = e.order_id
JOIN users u ON u.id = CASE WHEN o.user_id = :userId THEN e.seller_id ELSE o.user_id END
WHERE e.order_line_id = :id AND :userId IN (o.user_id, e.seller_id) AND o.user_id <> e.seller_id;

-- Why the member cannot write to the other side of a sale.
-- @name findClosed
-- @null closed
-- @type closed: import('./messages.contract.ts').Closed | null
SELECT coalesce(messages_ended_by(:userId, u.id), CASE
  WHEN u.erased_at IS NOT NULL THEN 'gone'
  WHEN e.seller_id = u.id THEN NULL
  WHEN EXISTS (SELECT FROM suspensions s WHERE s.seller_id = e.seller_id AND s.lifted_at IS NULL) THEN 'suspended'
  WHEN e.gross_cents = 0 AND NOT EXISTS (SELECT FROM message_threads t WHERE t.buyer_id = u.id AND t.seller_id = e.seller_id
    AND t.last_buyer_at > '-infinity') THEN 'unasked' END) AS closed
FROM earnings e CROSS JOIN users u WHERE e.order_line_id = :id AND u.id = :otherId;

-- @name findThread
-- @type messages: import('./messages.contract.ts').Message[]
SELECT messages_of(t, :limit) AS messages, CASE WHEN :userId = t.buyer_id THEN t.last_seller_at > t.buyer_read_at
    ELSE t.last_buyer_at > t.seller_read_at END AS is_unread,
  EXISTS (SELECT FROM thread_reports r WHERE r.thread_id = t.id AND r.reporter_id = :userId AND r.closed_at IS NULL) AS is_reported
FROM message_threads t WHERE t.buyer_id = :buyerId AND t.seller_id = :sellerId;

-- Locks the author, so that concurrent transactions cannot exceed a maximum.
-- @name lockAuthor
SELECT pg_advisory_xact_lock(hashtextextended('messages of ' || :userId::uuid, 0))::text AS locked;

-- Creates the thread of both sides if there is none, and locks it.
-- @name lockThread
INSERT INTO message_threads AS t (buyer_id, seller_id) VALUES (:buyerId, :sellerId)
ON CONFLICT (buyer_id, seller_id) DO UPDATE SET buyer_id = excluded.buyer_id RETURNING t.id;

-- @name findMessage
SELECT thread_id, author_id, body FROM thread_messages WHERE id = :messageId;

-- Messages of the author since the last one of the other side, and whether the other side has read all of them.
-- @name readUnanswered
SELECT (SELECT count(*)::int FROM thread_messages m WHERE m.thread_id = t.id AND m.author_id = :authorId AND m.created_at > x.other_at)
    AS count, x.own_at <= x.read_at AS is_read, x.other_at > '-infinity' AS is_answered
FROM message_threads t CROSS JOIN LATERAL (SELECT CASE WHEN :authorId = t.buyer_id THEN t.last_buyer_at ELSE t.last_seller_at END AS own_at,
  CASE WHEN :authorId = t.buyer_id THEN t.last_seller_at ELSE t.last_buyer_at END AS other_at,
  CASE WHEN :authorId = t.buyer_id THEN t.seller_read_at ELSE t.buyer_read_at END AS read_at) x
WHERE t.id = :threadId;

-- Other members to whom the author wrote in the last day and who have never answered.
-- @name countStarted
SELECT count(*)::int AS count FROM (
  SELECT FROM message_threads t WHERE t.buyer_id = :authorId AND t.id <> :threadId AND t.last_seller_at = '-infinity'
    AND greatest(t.last_buyer_at, t.last_seller_at) > now() - interval '24 hours'
  UNION ALL
  SELECT FROM message_threads t WHERE t.seller_id = :authorId AND t.id <> :threadId AND t.last_buyer_at = '-infinity'
    AND greatest(t.last_buyer_at, t.last_seller_at) > now() - interval '24 hours') started;

-- The author has read the thread. No row: another transaction added a message with this id to another thread.
-- @name addMessage
WITH m AS (INSERT INTO thread_messages (id, thread_id, author_id, order_line_id, body, created_at)
  VALUES (:messageId, :threadId, :authorId, :lineId, :text, clock_timestamp()) ON CONFLICT (id) DO NOTHING RETURNING *)
UPDATE message_threads t SET last_buyer_at = CASE WHEN m.author_id = t.buyer_id THEN m.created_at ELSE t.last_buyer_at END,
  buyer_read_at = CASE WHEN m.author_id = t.buyer_id THEN m.created_at ELSE t.buyer_read_at END,
  last_seller_at = CASE WHEN m.author_id = t.seller_id THEN m.created_at ELSE t.last_seller_at END,
  seller_read_at = CASE WHEN m.author_id = t.seller_id THEN m.created_at ELSE t.seller_read_at END
FROM m WHERE t.id = m.thread_id RETURNING t.id;

-- Marks the thread as read up to a message.
-- @name markRead
UPDATE message_threads t SET
  buyer_read_at = CASE WHEN :userId = t.buyer_id THEN greatest(t.buyer_read_at, m.created_at) ELSE t.buyer_read_at END,
  seller_read_at = CASE WHEN :userId = t.seller_id THEN greatest(t.seller_read_at, m.created_at) ELSE t.seller_read_at END
FROM thread_messages m WHERE m.id = :messageId AND m.thread_id = t.id AND t.buyer_id = :buyerId AND t.seller_id = :sellerId;

-- @name addBlock
INSERT INTO message_blocks (blocker_id, blocked_id) VALUES (:userId, :otherId) ON CONFLICT DO NOTHING;

-- @name removeBlock
DELETE FROM message_blocks WHERE blocker_id = :userId AND blocked_id = :otherId;

-- No row: the reporter has too many open reports of the thread.
-- @name addReport
INSERT INTO thread_reports (thread_id, reporter_id, note, messages)
SELECT t.id, :userId, :note, messages_of(t, :limit) FROM message_threads t WHERE t.id = :threadId
  AND (SELECT count(*) FROM thread_reports r WHERE r.thread_id = t.id AND r.reporter_id = :userId AND r.closed_at IS NULL) < :most::int
RETURNING id;

-- @name listOrderSellers
SELECT coalesce(json_agg(row_to_json(x) ORDER BY x.name, x."lineId"), '[]')::text AS json FROM (
  SELECT (array_agg(l.id ORDER BY l.position))[1] AS "lineId",
    (SELECT shown_name(s, 'A seller') FROM users s WHERE s.id = e.seller_id) AS name,
    json_agg(l.title ORDER BY l.position) AS titles,
    (SELECT count(*) FROM message_threads t JOIN thread_messages m ON m.thread_id = t.id
      WHERE t.buyer_id = o.user_id AND t.seller_id = e.seller_id) AS messages,
    EXISTS (SELECT FROM message_threads t WHERE t.buyer_id = o.user_id AND t.seller_id = e.seller_id
      AND t.last_seller_at > t.buyer_read_at) AS "isUnread"
  FROM orders o JOIN earnings e ON e.order_id = o.id JOIN order_lines l ON l.id = e.order_line_id
  WHERE o.id = :id AND o.user_id = :userId AND e.seller_id <> o.user_id GROUP BY e.seller_id, o.user_id) x;

-- @name forgetMessages
DELETE FROM thread_messages WHERE author_id = :userId;

-- @name forgetBlocks
DELETE FROM message_blocks WHERE :userId::uuid IN (blocker_id, blocked_id);

-- @name forgetClosedReports
DELETE FROM thread_reports WHERE reporter_id = :userId AND closed_at IS NOT NULL;

-- Removes the times of deleted messages. Otherwise the other side would see an unread message that does not exist.
-- @name forgetTimes
UPDATE message_threads SET last_buyer_at = CASE WHEN buyer_id = :userId THEN '-infinity' ELSE last_buyer_at END,
  last_seller_at = CASE WHEN seller_id = :userId THEN '-infinity' ELSE last_seller_at END
WHERE :userId::uuid IN (buyer_id, seller_id);

-- Threads of erased members without a message and without a report.
-- @name forgetEmptyThreads
DELETE FROM message_threads t WHERE t.id = ANY (:ids::uuid[])
  AND NOT EXISTS (SELECT FROM thread_messages m WHERE m.thread_id = t.id)
  AND NOT EXISTS (SELECT FROM thread_reports r WHERE r.thread_id = t.id)
  AND EXISTS (SELECT FROM users u WHERE u.id IN (t.buyer_id, t.seller_id) AND u.erased_at IS NOT NULL);

-- @name listThreads
SELECT id FROM message_threads WHERE :userId::uuid IN (buyer_id, seller_id);

-- @name forgetOldReports
DELETE FROM thread_reports WHERE id = ANY (ARRAY(SELECT r.id FROM thread_reports r
  WHERE r.closed_at < now() - :days::int * interval '1 day' ORDER BY r.closed_at LIMIT :most::int)) RETURNING thread_id;
