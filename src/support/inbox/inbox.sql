-- An index supports each page of the inbox, because every open inbox polls it.
-- @name findPlace
SELECT is_queued FROM inbox_place WHERE user_id = :userId;

-- @name readQueue
SELECT user_id FROM inbox_place WHERE is_queued ORDER BY is_for_assistant, waiting_since, user_id LIMIT :limit::int;

-- @name readQueueAfter
SELECT user_id FROM inbox_place
WHERE is_queued AND (is_for_assistant, waiting_since, user_id) > (
  SELECT is_for_assistant, waiting_since, user_id FROM inbox_place WHERE user_id = :after)
ORDER BY is_for_assistant, waiting_since, user_id LIMIT :limit::int;

-- @name readRest
SELECT user_id FROM inbox_place WHERE NOT is_queued ORDER BY last_at DESC, user_id DESC LIMIT :limit::int;

-- @name readRestAfter
SELECT user_id FROM inbox_place
WHERE NOT is_queued AND (last_at, user_id) < (SELECT last_at, user_id FROM inbox_place WHERE user_id = :after)
ORDER BY last_at DESC, user_id DESC LIMIT :limit::int;

-- For a waiting customer, the excerpt shows the customer's words, not the assistant's answer.
-- @name readConversations
-- @null waiting_since, snoozed_until, assignee_id, agent_first_name, agent_last_name, first_name, last_name, is_late
SELECT c.*, last.excerpt, last.author, c.waiting_since < now() - :answersWithinHours::float8 * interval '1 hour' AS is_late
FROM inbox_conversation c CROSS JOIN LATERAL (
  SELECT left(m.message, :length::int) AS excerpt, m.author FROM chat_messages m
  WHERE m.user_id = c.user_id AND (c.waiting_since IS NULL OR m.author = 'user')
  ORDER BY m.created_at DESC, m.id DESC LIMIT 1) last
WHERE c.user_id = ANY (:userIds::uuid[]);

-- @name findConversation
-- @null waiting_since, snoozed_until, assignee_id, agent_first_name, agent_last_name, first_name, last_name, score
SELECT c.*, (SELECT s.score FROM chat_settlements s WHERE s.user_id = c.user_id ORDER BY s.settled_at DESC LIMIT 1) AS score
FROM inbox_conversation c WHERE c.user_id = :userId;

-- @name countUnread
SELECT unread FROM inbox_conversation WHERE user_id = :userId;

-- A message that the assistant answered or staff resolved does not wait.
-- @name noteWait
INSERT INTO chat_waits (user_id, staff_id, since)
SELECT user_id, :staffId, waiting_since FROM chat_conversations WHERE user_id = :userId AND waiting_since IS NOT NULL;

-- @name readResponses
WITH w AS (SELECT staff_id, extract(epoch FROM until - since) / 60 AS minutes FROM chat_waits WHERE until > now() - :days::int * interval '1 day'),
s AS (SELECT staff_id, score FROM chat_settlements WHERE settled_at > now() - :days * interval '1 day'),
a AS (SELECT a.rating, a.cost_microdollars, m.is_unsure FROM chat_answers a JOIN chat_messages m ON m.id = a.answer_id
  WHERE a.started_at > now() - :days * interval '1 day'),
d AS (SELECT used_for, cost_microdollars FROM model_days WHERE day > current_date - :days)
SELECT json_build_object('days', :days, 'answers', (SELECT count(*) FROM w),
  'medianMinutes', (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)::numeric, 1)::float8 FROM w),
  'p90Minutes', (SELECT round(percentile_cont(0.9) WITHIN GROUP (ORDER BY minutes)::numeric, 1)::float8 FROM w),
  'satisfaction', (SELECT round(avg(score), 1)::float8 FROM s),
  'assistant', (SELECT json_build_object('answers', count(*), 'unsure', count(*) FILTER (WHERE is_unsure),
    'helped', count(*) FILTER (WHERE rating = 1), 'notHelped', count(*) FILTER (WHERE rating = -1)) FROM a),
  'costs', json_build_object('chatDollars', (SELECT dollars_of(sum(cost_microdollars)) FROM a),
    'analyzeDollars', (SELECT dollars_of(sum(cost_microdollars)) FROM d WHERE used_for = 'analyze'),
    'explainDollars', (SELECT dollars_of(sum(cost_microdollars)) FROM d WHERE used_for = 'explain')),
  'agents', (SELECT coalesce(json_agg(json_build_object('name', name, 'answers', answers, 'medianMinutes', minutes,
      'satisfaction', satisfaction) ORDER BY answers DESC), '[]')
    FROM (SELECT coalesce(u.first_name, :formerStaff::text) AS name, count(*) AS answers,
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)::numeric, 1)::float8 AS minutes,
        (SELECT round(avg(score), 1)::float8 FROM s WHERE s.staff_id = u.id) AS satisfaction
      FROM w LEFT JOIN users u ON u.id = w.staff_id GROUP BY u.id, u.first_name) agents))::text AS json;

-- The purchases of a customer. A debt does not count as credit.
-- @name readCustomer
WITH sums AS (SELECT * FROM purchase_sums(:userId::uuid)),
  latest AS (
    SELECT id, status, total_cents, created_at FROM orders WHERE user_id = :userId ORDER BY created_at DESC, id DESC LIMIT 5),
  credit AS (SELECT greatest(coalesce(max(balance_cents), 0), 0)::bigint AS cents FROM credit_accounts WHERE user_id = :userId)
SELECT json_build_object(
  'orders', total, 'spent', decimal_of(spent), 'credit', decimal_of(cents),
  'risk', (SELECT d.score FROM latest JOIN risk_decisions d ON d.order_id = latest.id ORDER BY d.created_at DESC LIMIT 1),
  'latest', (
    SELECT coalesce(json_agg(json_build_object('id', id, 'status', status, 'total', decimal_of(total_cents),
      'createdAt', to_json(created_at)) ORDER BY created_at DESC, id DESC), '[]')
    FROM latest))::text AS json
FROM sums, credit;
