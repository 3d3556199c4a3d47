-- The threads of a member with the newest messages.
-- @name listThreadsOfMember
SELECT staff_threads(ARRAY(SELECT x.id FROM (
  (SELECT t.id, greatest(t.last_buyer_at, t.last_seller_at) AS at FROM message_threads t WHERE t.buyer_id = :memberId
    ORDER BY greatest(t.last_buyer_at, t.last_seller_at) DESC LIMIT :most::int)
  UNION ALL
  (SELECT t.id, greatest(t.last_buyer_at, t.last_seller_at) FROM message_threads t WHERE t.seller_id = :memberId
    ORDER BY greatest(t.last_buyer_at, t.last_seller_at) DESC LIMIT :most::int)) x ORDER BY x.at DESC, x.id LIMIT :most::int), :readerId) AS json;

-- @name listThreadsOfOrder
SELECT staff_threads(ARRAY(SELECT DISTINCT t.id FROM orders o JOIN earnings e ON e.order_id = o.id
  JOIN message_threads t ON t.buyer_id = o.user_id AND t.seller_id = e.seller_id WHERE o.id = :orderId LIMIT :most::int), :readerId) AS json;

-- The threads with open reports, oldest report first.
-- @name listReportedThreads
SELECT staff_threads(ARRAY(SELECT t.id FROM thread_reports r JOIN message_threads t ON t.id = r.thread_id
  WHERE r.closed_at IS NULL AND :readerId NOT IN (t.buyer_id, t.seller_id)
  GROUP BY t.id ORDER BY min(r.created_at), t.id LIMIT :most::int), :readerId) AS json;

-- @name findStaffThread
-- @type messages: import('./messages.contract.ts').Message[]
-- @type reports: import('./messages.contract.ts').MessageReport[]
SELECT t.id, :readerId IN (t.buyer_id, t.seller_id) AS is_own, messages_of(t, :limit) AS messages, reports_of(t) AS reports
FROM message_threads t WHERE t.id = :id;

-- @name setEnded
UPDATE message_threads SET ended_at = CASE WHEN :isEnded::boolean THEN coalesce(ended_at, now()) END WHERE id = :id;

-- @name closeReports
UPDATE thread_reports SET closed_at = now(), closed_by = :userId WHERE thread_id = :id AND closed_at IS NULL
RETURNING id, reporter_id;
