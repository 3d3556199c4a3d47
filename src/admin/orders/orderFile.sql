-- An order with all its records.
-- @name readFile
-- @null erased_at
-- @type json: Omit<import('./adminOrders.contract.ts').OrderFile, 'areMailsSent' | 'offer'>
SELECT o.credit_cents, u.erased_at, json_build_object('id', o.id, 'status', o.status,
  'total', decimal_of(o.total_cents), 'credit', decimal_of(o.credit_cents),
  'paymentMethod', o.payment_method, 'createdAt', iso_of(o.created_at),
  'buyer', json_build_object('id', u.id, 'email', CASE WHEN u.erased_at IS NULL THEN u.email END,
    'name', CASE WHEN u.erased_at IS NOT NULL THEN 'Former member'
      ELSE coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''), 'Digital Store User') END,
    'joinedAt', iso_of(u.created_at), 'orders', (SELECT count(*) FROM orders n WHERE n.user_id = u.id)),
  'lines', (SELECT coalesce(json_agg(l.json ORDER BY l.position), '[]') FROM staff_line l WHERE l.order_id = o.id),
  'discounts', (SELECT coalesce(json_agg(json_build_object('code', d.code, 'amount', decimal_of(d.amount_cents)) ORDER BY d.code), '[]')
    FROM discount_uses d WHERE d.order_id = o.id),
  'events', (SELECT coalesce(json_agg(json_build_object('status', v.to_status, 'code', v.reason_code,
      'reason', CASE v.to_status WHEN 'refunded' THEN v.reason END, 'at', iso_of(v.created_at)) ORDER BY v.id), '[]')
    FROM order_events v WHERE v.order_id = o.id),
  'payments', (SELECT coalesce(json_agg(p.json ORDER BY p.created_at, p.id), '[]') FROM staff_payment p WHERE p.order_id = o.id),
  'refunds', (SELECT coalesce(json_agg(r.json ORDER BY r.created_at, r.id), '[]') FROM staff_refund r WHERE r.order_id = o.id),
  'requests', (SELECT coalesce(json_agg(json_build_object('lineId', q.order_line_id, 'title', l.title, 'reason', q.reason,
      'note', q.note, 'state', q.state, 'answer', q.answer, 'at', iso_of(q.created_at)) ORDER BY q.created_at), '[]')
    FROM refund_requests q JOIN order_lines l ON l.id = q.order_line_id WHERE q.order_id = o.id),
  'approval', (SELECT a.json FROM staff_approval a WHERE a.order_id = o.id),
  'disputes', (SELECT coalesce(json_agg(json_build_object('id', d.id, 'state', d.state, 'amount', decimal_of(d.amount_cents),
    'openedAt', iso_of(d.opened_at)) ORDER BY d.created_at), '[]') FROM disputes d WHERE d.order_id = o.id),
  'bonus', (SELECT json_build_object('earned', decimal_of(b.amount_cents), 'takenBack', decimal_of(b.taken_back_cents))
    FROM credit_bonuses b WHERE b.order_id = o.id AND b.amount_cents > 0),
  'risk', (SELECT r.json FROM staff_risk r WHERE r.order_id = o.id ORDER BY r.created_at DESC LIMIT 1),
  'mails', order_mails(o.id)) AS json
FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = :id;
