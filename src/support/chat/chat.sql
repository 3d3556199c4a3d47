-- No row: the key was used before.
-- @name insertMessage
-- @null staffId
WITH conversation AS (
  INSERT INTO chat_conversations (user_id, last_at) VALUES (:userId, now()) ON CONFLICT (user_id) DO UPDATE SET last_at = now())
INSERT INTO chat_messages (id, user_id, author, message, staff_id, articles, products, orders, is_unsure, offers_person, is_stopped, via, send_key)
VALUES (:id, :userId, :author, :message, :staffId, :articles, :products, :orders, :isUnsure, :offersPerson, :isStopped, :via, :sendKey)
ON CONFLICT (user_id, author, send_key) DO NOTHING
RETURNING id, created_at;

-- @name startWaiting
UPDATE chat_conversations SET waiting_since = coalesce(waiting_since, now()), snoozed_until = NULL WHERE user_id = :userId;

-- @name stopWaiting
UPDATE chat_conversations SET waiting_since = NULL, mode = 'person' WHERE user_id = :userId;

-- @name readMessages
-- @null first_name, rating
-- @type products: import('./chat.contract.ts').ChatMessage['products']
-- @type orders: import('./chat.contract.ts').ChatMessage['orders']
SELECT id, author, message, articles, created_at, first_name, rating, is_unsure, offers_person, is_stopped, via, products, orders
FROM shown_message WHERE user_id = :userId ORDER BY created_at DESC, id DESC LIMIT :limit::int;

-- @name readMessage
-- @null first_name, rating
-- @type products: import('./chat.contract.ts').ChatMessage['products']
-- @type orders: import('./chat.contract.ts').ChatMessage['orders']
SELECT id, author, message, articles, created_at, first_name, rating, is_unsure, offers_person, is_stopped, via, products, orders
FROM shown_message WHERE user_id = :userId AND id = :id;

-- Writes only if the customer has an unread answer of staff, because every view of the chat calls it.
-- @name markRead
UPDATE chat_conversations c SET customer_read_at = now()
WHERE c.user_id = :userId
  AND EXISTS (SELECT FROM chat_messages m WHERE m.user_id = c.user_id AND m.author = 'admin' AND m.created_at > c.customer_read_at);

-- The poll of an open chat. Without a customer, returns only the state of the store.
-- @name readStatus
-- @null userId, newest_id, question_id, state
-- @type state: 'working' | 'failed' | 'stopped' | 'done' | null
SELECT EXISTS (SELECT FROM chat_presence WHERE seen_at > now() - :lookedSeconds::int * interval '1 second')
    OR EXISTS (SELECT FROM chat_messages WHERE author = 'admin' AND created_at > now() - :answeredMinutes::int * interval '1 minute') AS is_here,
  newest.id AS newest_id,
  coalesce(EXISTS (SELECT FROM chat_messages m
    WHERE m.user_id = c.user_id AND m.author = 'admin' AND m.created_at > c.customer_read_at), false) AS has_reply,
  a.question_id,
  CASE WHEN a.state = 'working' AND a.started_at < now() - :lostSeconds::int * interval '1 second' THEN 'failed' ELSE a.state END AS state,
  coalesce(c.mode = 'person', false) AS is_with_person,
  coalesce(c.waiting_since IS NULL AND (SELECT s.score IS NULL AND s.settled_at > now() - :scoreDays::int * interval '1 day'
    FROM chat_settlements s WHERE s.user_id = c.user_id ORDER BY s.settled_at DESC LIMIT 1), false) AS asks_score
FROM (SELECT :userId::uuid AS user_id) u
LEFT JOIN chat_conversations c USING (user_id)
LEFT JOIN LATERAL (SELECT id FROM chat_messages m WHERE m.user_id = c.user_id ORDER BY created_at DESC, id DESC LIMIT 1) newest ON true
LEFT JOIN LATERAL (SELECT question_id, state, started_at FROM chat_answers a
  WHERE a.user_id = c.user_id ORDER BY started_at DESC LIMIT 1) a ON true;

-- @name notifyOfStaff
SELECT c.user_id, pg_notify('members', c.user_id || ' typing')::text AS to_customer,
  pg_notify('members', '* typing:' || c.user_id || ':' || s.id || ':' || regexp_replace(coalesce(s.first_name, ''), '\s+', ' ', 'g'))::text AS to_staff
FROM chat_conversations c JOIN users s ON s.id = :staffId WHERE c.user_id = :userId;

-- @name notifyOfCustomer
SELECT user_id, pg_notify('members', '* typing:' || user_id)::text AS sent
FROM chat_conversations WHERE user_id = :userId AND mode = 'person';

-- A conversation that was resolved again without a new message is not rated again.
-- @name noteSettlement
INSERT INTO chat_settlements (user_id, staff_id) SELECT :userId, :staffId
WHERE NOT EXISTS (SELECT FROM chat_settlements s WHERE s.user_id = :userId AND s.settled_at > (
  SELECT max(created_at) FROM chat_messages WHERE user_id = :userId AND author = 'user'));
