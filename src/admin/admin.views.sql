-- Members and the records of an order as JSON for staff.

CREATE OR REPLACE VIEW member_card AS
SELECT s.id, jsonb_build_object('id', s.id, 'email', s.email, 'role', s.role, 'since', iso_of(s.created_at),
  'name', coalesce(nullif(concat_ws(' ', nullif(s.first_name, ''), nullif(s.last_name, '')), ''), 'Digital Store User'),
  'isSuspended', EXISTS (SELECT FROM suspensions b WHERE b.seller_id = s.id AND b.lifted_at IS NULL),
  'orders', p.total, 'spent', decimal_of(p.spent)) AS card
FROM users s CROSS JOIN LATERAL purchase_sums(s.id) p;

-- The uses of the goods of an order. `newest` is 1 for the latest use.
CREATE OR REPLACE VIEW order_use AS
SELECT l.order_id, l.id AS order_line_id, l.title, v.id, v.kind, v.created_at,
  row_number() OVER (PARTITION BY l.order_id ORDER BY v.id DESC) AS newest
FROM delivery_events v JOIN entitlements e ON e.id = v.entitlement_id JOIN order_lines l ON l.id = e.order_line_id;

CREATE OR REPLACE VIEW staff_line AS
SELECT l.order_id, l.position, json_build_object('id', l.id, 'productId', l.product_id, 'title', l.title,
  'quantity', l.quantity, 'price', decimal_of(l.price_cents), 'delivery', l.delivery,
  'returned', coalesce((SELECT n.returned_quantity FROM earnings n WHERE n.order_line_id = l.id), 0),
  'seller', CASE WHEN s.erased_at IS NULL THEN s.email END,
  'deliveredAt', iso_of(e.created_at), 'closedAt', iso_of(e.revoked_at),
  'uses', (SELECT coalesce(json_agg(json_build_object('kind', u.kind, 'at', iso_of(u.created_at)) ORDER BY u.id DESC), '[]')
    FROM order_use u WHERE u.order_id = l.order_id AND u.order_line_id = l.id AND u.newest <= 100)) AS json
FROM order_lines l JOIN users s ON s.id = l.seller_id LEFT JOIN entitlements e ON e.order_line_id = l.id;

CREATE OR REPLACE VIEW staff_refund AS
SELECT p.order_id, r.id, r.created_at, json_build_object('id', r.id, 'status', r.status, 'amount', decimal_of(r.amount_cents),
  'reason', r.reason, 'askedBy', u.email,
  'approvedBy', (SELECT d.email FROM refund_approvals a JOIN users d ON d.id = a.decided_by WHERE a.refund_id = r.id),
  'refusal', r.refusal, 'providerRefundId', r.provider_refund_id, 'credit', decimal_of(r.credit_cents), 'isByBuyer', r.is_by_buyer,
  'isBySeller', r.is_by_seller,
  'canSettle', r.status = 'requested' AND r.provider_refund_id IS NULL AND r.created_at < now() - interval '5 hours 15 minutes',
  'lines', (SELECT coalesce(json_agg(json_build_object('title', l.title, 'copies', n.quantity) ORDER BY l.position), '[]')
    FROM refund_lines n JOIN order_lines l ON l.id = n.order_line_id WHERE n.refund_id = r.id),
  'reclaimed', decimal_of(r.reclaimed_cents),
  'canReclaim', r.bounced_at IS NOT NULL AND r.reclaimed_at IS NULL AND EXISTS (SELECT FROM credit_entries c
    WHERE c.order_id = p.order_id AND c.kind = 'bounced' AND c.amount_cents = r.amount_cents AND c.created_at = r.bounced_at),
  'bouncedAt', iso_of(r.bounced_at), 'createdAt', iso_of(r.created_at), 'changedAt', iso_of(r.updated_at)) AS json
FROM payments p JOIN refunds r ON r.payment_id = p.id LEFT JOIN users u ON u.id = r.asked_by;

CREATE OR REPLACE VIEW staff_payment AS
SELECT p.order_id, p.id, p.created_at, json_build_object('id', p.id, 'provider', p.provider, 'mode', p.mode, 'status', p.status,
  'amount', decimal_of(p.amount_cents), 'providerOrderId', p.provider_order_id, 'captureId', p.provider_capture_id,
  'declines', p.declines, 'lastError', p.last_error, 'createdAt', iso_of(p.created_at), 'changedAt', iso_of(p.updated_at)) AS json
FROM payments p;

-- A refund that waits for a second member of staff.
CREATE OR REPLACE VIEW staff_approval AS
SELECT a.order_id, json_build_object('id', a.id, 'amount', decimal_of(a.amount_cents), 'reason', a.reason, 'askedBy', s.email,
  'at', iso_of(a.created_at),
  'lines', (SELECT json_agg(json_build_object('title', l.title, 'copies', n.quantity) ORDER BY l.position)
    FROM jsonb_to_recordset(a.lines) AS n ("orderLineId" uuid, quantity int) JOIN order_lines l ON l.id = n."orderLineId"),
  'used', (SELECT coalesce(json_agg(json_build_object('title', u.title, 'kind', u.kind, 'at', iso_of(u.created_at)) ORDER BY u.id DESC), '[]')
    FROM order_use u WHERE u.order_id = a.order_id AND u.newest <= 100 AND u.created_at > a.created_at)) AS json
FROM refund_approvals a LEFT JOIN users s ON s.id = a.asked_by WHERE a.state = 'waiting';

CREATE OR REPLACE VIEW staff_risk AS
SELECT d.order_id, d.created_at, json_build_object('decision', d.decision, 'score', d.score, 'reasons', d.reasons,
  'at', iso_of(d.created_at), 'hold', (SELECT json_build_object('state', h.state, 'resolvedHow', h.resolved_how, 'endsAt', iso_of(h.ends_at))
    FROM risk_holds h WHERE h.order_id = d.order_id AND h.kind = 'hold' LIMIT 1)) AS json
FROM risk_decisions d;

-- Mails about an order. The refund mail of a payment that matches no order has the payment's id.
CREATE OR REPLACE FUNCTION order_mails(wanted uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('subject', m.subject, 'at', iso_of(m.created_at), 'sentAt', iso_of(m.sent_at),
    'isRefused', m.refused_at IS NOT NULL) ORDER BY m.created_at), '[]')
  FROM mails m WHERE m.key = ANY (ARRAY['held:' || wanted, 'receipt:' || wanted] || ARRAY(
    SELECT 'refund:' || id FROM payments WHERE order_id = wanted
    UNION ALL SELECT 'refund:' || r.id FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = wanted))
$$;

-- Open work of all rooms. `id` is the last part of the item’s page address, for kinds with a page for each item.
CREATE OR REPLACE VIEW open_work AS
SELECT 'chats' AS kind, w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_chat w
UNION ALL SELECT 'refundApprovals', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_refund_approval w
UNION ALL SELECT 'refundRequests', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_refund_request w
UNION ALL SELECT 'reports', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_report w
UNION ALL SELECT 'messageReports', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_message_report w
UNION ALL SELECT 'codeCases', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_code_case w
UNION ALL SELECT 'riskHolds', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_hold w
UNION ALL SELECT 'disputes', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_dispute w
UNION ALL SELECT 'payouts', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_payout w
UNION ALL SELECT 'transfers', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_transfer w
UNION ALL SELECT 'supply', w.id, w.since, w.due_at, w.owner_id, w.about, w.cents FROM waiting_supply w;

-- The latest orders of a member.
CREATE OR REPLACE FUNCTION member_purchases(member uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', o.id, 'total', decimal_of(o.total_cents), 'status', o.status, 'at', iso_of(o.created_at),
    'titles', (SELECT coalesce(json_agg(l.title ORDER BY l.position), '[]') FROM order_lines l WHERE l.order_id = o.id AND l.position < 2),
    'lineCount', (SELECT count(*) FROM order_lines l WHERE l.order_id = o.id)) ORDER BY o.created_at DESC, o.id DESC), '[]')
  FROM (SELECT * FROM orders WHERE user_id = member ORDER BY created_at DESC, id DESC LIMIT 5) o
$$;

-- The latest sales of a member. Purchases of own products are no sales.
CREATE OR REPLACE FUNCTION member_sales(member uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', e.order_line_id, 'orderId', e.order_id, 'amount', decimal_of(e.gross_cents),
    'returned', decimal_of(e.returned_cents), 'isDisputed', e.is_disputed, 'at', iso_of(e.earned_at),
    'title', (SELECT l.title FROM order_lines l WHERE l.id = e.order_line_id)) ORDER BY e.earned_at DESC, e.order_line_id), '[]')
  FROM (SELECT * FROM earnings WHERE seller_id = member AND NOT is_own_purchase(order_id, seller_id)
    ORDER BY earned_at DESC, order_line_id LIMIT 5) e
$$;

-- The latest messages of the chat with a member.
CREATE OR REPLACE FUNCTION member_messages(member uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', m.id, 'author', m.author, 'text', left(m.message, 300), 'at', iso_of(m.created_at))
    ORDER BY m.created_at DESC, m.id DESC), '[]')
  FROM (SELECT * FROM chat_messages WHERE user_id = member ORDER BY created_at DESC, id DESC LIMIT 5) m
$$;

-- Disputes, refund requests, bad codes, reports and suspensions of members. `id` is the order, the report or the row. Lines of an
-- order for which the buyer asked at once are one case, with the title of the first.
CREATE OR REPLACE VIEW member_case AS
SELECT d.user_id AS member_id, 'dispute' AS kind, d.order_id AS id, d.state, d.opened_at AS at, NULL::text AS about FROM disputes d
UNION ALL SELECT o.user_id, 'refundRequest', o.id, q.state, q.created_at, (array_agg(l.title ORDER BY l.position))[1]
  FROM refund_requests q JOIN orders o ON o.id = q.order_id JOIN order_lines l ON l.id = q.order_line_id
  GROUP BY o.user_id, o.id, q.state, q.created_at
UNION ALL SELECT c.user_id, 'badCode', l.order_id, c.state, c.created_at, l.title
  FROM code_cases c JOIN order_lines l ON l.id = c.order_line_id
UNION ALL SELECT c.seller_id, 'badCodeSold', l.order_id, c.state, c.created_at, l.title
  FROM code_cases c JOIN order_lines l ON l.id = c.order_line_id
UNION ALL SELECT p.seller_id, 'report', r.id, coalesce(r.decision, 'open'), r.last_at, p.title
  FROM products p JOIN report_cases r ON r.product_id = p.id WHERE r.review_id IS NULL
UNION ALL SELECT s.seller_id, 'suspension', s.id, CASE WHEN s.lifted_at IS NULL THEN 'open' ELSE 'lifted' END, s.created_at, s.reason
  FROM suspensions s;

CREATE OR REPLACE FUNCTION member_cases(member uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('kind', c.kind, 'id', c.id, 'state', c.state, 'at', iso_of(c.at), 'about', c.about)
    ORDER BY c.at DESC), '[]')
  FROM (SELECT * FROM member_case WHERE member_id = member ORDER BY at DESC LIMIT 10) c
$$;

-- What a member sold, with refunds of these sales. The sums follow sales within a minute.
CREATE OR REPLACE FUNCTION member_sold(member uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('sales', coalesce(sum(d.sales), 0), 'amount', decimal_of(coalesce(sum(d.gross_cents), 0)::bigint),
    'refunded', decimal_of(coalesce(sum(d.returned_cents), 0)::bigint))
  FROM sales_days d WHERE d.seller_id = member AND d.kind = 'all'
$$;

-- What an order waits for, and who has to act: staff, the seller, the buyer or the payment provider.
CREATE OR REPLACE VIEW order_wait AS
SELECT id AS order_id, 'refund-requested' AS wait FROM waiting_refund_request
UNION ALL SELECT id, 'waits-for-approval' FROM waiting_refund_approval
UNION ALL SELECT id, 'held' FROM waiting_hold
UNION ALL SELECT order_id, CASE WHEN needs_answer(d) OR is_missing(d) THEN 'dispute-to-answer' ELSE 'waits-for-provider' END
  FROM disputes d WHERE ended_at IS NULL
UNION ALL SELECT l.order_id, CASE c.state WHEN 'staff' THEN 'bad-code' ELSE 'waits-for-seller' END
  FROM code_cases c JOIN order_lines l ON l.id = c.order_line_id WHERE c.state IN ('seller', 'staff')
UNION ALL SELECT order_id, 'waits-for-buyer' FROM risk_holds WHERE state = 'open' AND kind = 'step_up';
