-- Views of support for its statements.

-- Converts microdollars to dollars with cents.
CREATE OR REPLACE FUNCTION dollars_of(microdollars numeric) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT to_char(coalesce(microdollars, 0) / 1000000, 'FM999999990.00') $$;

-- Messages with products on sale at their current price, and with the customer's own orders.
CREATE OR REPLACE VIEW shown_message AS
SELECT m.id, m.user_id, m.author, m.message, m.articles, m.created_at, staff.first_name, a.rating, m.is_unsure, m.offers_person,
  m.is_stopped, m.via,
  CASE WHEN m.products = '{}' THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(json_build_object('id', p.id, 'title', p.title, 'price', decimal_of(p.price_cents),
      'suggested', decimal_of(p.suggested_cents),
      'most', CASE WHEN p.has_variants THEN decimal_of(coalesce(p.most_cents, p.price_cents)) END,
      'categoryId', p.category_id, 'category', c.name, 'imageUrl', '/images/' || p.image_object_id || '/640.webp')
      ORDER BY array_position(m.products, p.id)), '[]')
    FROM products p JOIN categories c ON c.id = p.category_id WHERE p.id = ANY (m.products) AND p.is_listed) END AS products,
  CASE WHEN m.orders = '{}' THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(json_build_object('id', o.id, 'status', o.status, 'total', decimal_of(o.total_cents),
      'createdAt', iso_of(o.created_at), 'items', (SELECT coalesce(sum(l.quantity), 0) FROM order_lines l WHERE l.order_id = o.id),
      'opens', CASE WHEN o.status = 'completed' THEN (SELECT CASE WHEN bool_or(l.delivery IN ('code', 'license')) THEN 'code'
        WHEN bool_or(l.delivery = 'file') THEN 'file' END FROM order_lines l WHERE l.order_id = o.id) END)
      ORDER BY array_position(m.orders, o.id)), '[]')
    FROM orders o WHERE o.id = ANY (m.orders) AND o.user_id = m.user_id) END AS orders
FROM chat_messages m LEFT JOIN users staff ON staff.id = m.staff_id LEFT JOIN chat_answers a ON a.answer_id = m.id;

-- The sort keys of the inbox, as in the index chat_conversations_waiting: customers who asked for a person, then the
-- longest wait. A snoozed conversation is not queued until its time.
CREATE OR REPLACE VIEW inbox_place AS
SELECT c.user_id, c.mode <> 'person' AS is_for_assistant, c.waiting_since, c.last_at,
  c.waiting_since IS NOT NULL AND coalesce(c.snoozed_until <= now(), true) AS is_queued
FROM chat_conversations c;

CREATE OR REPLACE VIEW inbox_conversation AS
SELECT c.user_id, c.last_at, c.waiting_since, c.mode, c.snoozed_until, c.tags, c.assignee_id,
  agent.first_name AS agent_first_name, agent.last_name AS agent_last_name,
  u.first_name, u.last_name, u.email, u.created_at AS joined_at,
  (SELECT count(*) FROM chat_messages m WHERE m.user_id = c.user_id AND m.author = 'user' AND m.created_at > c.read_at) AS unread
FROM chat_conversations c JOIN users u ON u.id = c.user_id LEFT JOIN users agent ON agent.id = c.assignee_id;

-- Customers who wait for staff. `id` is the customer, `owner_id` the member of staff who answers.
CREATE OR REPLACE VIEW waiting_chat AS
SELECT c.user_id AS id, c.waiting_since AS since, NULL::timestamptz AS due_at, c.assignee_id AS owner_id,
  (SELECT u.email FROM users u WHERE u.id = c.user_id AND u.erased_at IS NULL) AS about, NULL::bigint AS cents
FROM chat_conversations c WHERE c.waiting_since IS NOT NULL AND coalesce(c.snoozed_until <= now(), true);
