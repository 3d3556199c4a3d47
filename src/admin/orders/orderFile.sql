-- An order with all its records. $1 is the order.
WITH paid AS (SELECT * FROM payments WHERE order_id = $1),
  given_back AS (
    SELECT r.*, u.email FROM refunds r JOIN paid ON paid.id = r.payment_id LEFT JOIN users u ON u.id = r.asked_by),
  uses AS MATERIALIZED (
    SELECT v.*, e.order_line_id FROM delivery_events v JOIN entitlements e ON e.id = v.entitlement_id
      JOIN order_lines l ON l.id = e.order_line_id WHERE l.order_id = $1 ORDER BY v.id DESC LIMIT 100)
SELECT o.credit_cents, u.erased_at, json_build_object(
  'id', o.id, 'status', o.status, 'total', :decimal(o.total_cents), 'credit', :decimal(o.credit_cents),
  'paymentMethod', o.payment_method, 'createdAt', :iso(o.created_at),
  'buyer', json_build_object('id', u.id, 'email', CASE WHEN u.erased_at IS NULL THEN u.email END,
    'name', CASE WHEN u.erased_at IS NOT NULL THEN 'Former member'
      ELSE coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''), 'Digital Store User') END,
    'joinedAt', :iso(u.created_at), 'orders', (SELECT count(*) FROM orders WHERE user_id = u.id)),
  'lines', (
    SELECT coalesce(json_agg(json_build_object('id', l.id, 'productId', l.product_id, 'title', l.title,
      'quantity', l.quantity, 'price', :decimal(l.price_cents), 'delivery', l.delivery,
      'returned', coalesce((SELECT returned_quantity FROM earnings WHERE order_line_id = l.id), 0),
      'seller', CASE WHEN s.erased_at IS NULL THEN s.email END,
      'deliveredAt', :iso(e.created_at), 'closedAt', :iso(e.revoked_at),
      'uses', (
        SELECT coalesce(json_agg(json_build_object('kind', kind, 'at', :iso(created_at)) ORDER BY id DESC), '[]')
        FROM uses WHERE order_line_id = l.id))
      ORDER BY l.position), '[]')
    FROM order_lines l JOIN users s ON s.id = l.seller_id LEFT JOIN entitlements e ON e.order_line_id = l.id
    WHERE l.order_id = o.id),
  'discounts', (
    SELECT coalesce(json_agg(json_build_object('code', code, 'amount', :decimal(amount_cents)) ORDER BY code), '[]')
    FROM discount_uses WHERE order_id = o.id),
  'events', (
    SELECT coalesce(json_agg(json_build_object('status', to_status,
      'code', coalesce(reason_code, 'other'), 'reason', CASE to_status WHEN 'refunded' THEN reason END, 'at', :iso(created_at))
      ORDER BY id), '[]')
    FROM order_events WHERE order_id = o.id),
  'payments', (
    SELECT coalesce(json_agg(json_build_object('id', id, 'provider', provider, 'mode', mode, 'status', status,
      'amount', :decimal(amount_cents), 'providerOrderId', provider_order_id, 'captureId', provider_capture_id,
      'declines', declines, 'lastError', last_error, 'createdAt', :iso(created_at), 'changedAt', :iso(updated_at))
      ORDER BY created_at, id), '[]')
    FROM paid),
  'refunds', (
    SELECT coalesce(json_agg(json_build_object('id', id, 'status', status, 'amount', :decimal(amount_cents),
      'reason', reason, 'askedBy', email, 'approvedBy', (
        SELECT d.email FROM refund_approvals a JOIN users d ON d.id = a.decided_by WHERE a.refund_id = given_back.id),
      'refusal', refusal, 'providerRefundId', provider_refund_id,
      'credit', :decimal(credit_cents), 'isByBuyer', is_by_buyer, 'canSettle', status = 'requested' AND provider_refund_id IS NULL AND created_at < now() - interval '5 hours 15 minutes',
      'lines', (
        SELECT coalesce(json_agg(json_build_object('title', l.title, 'copies', n.quantity) ORDER BY l.position), '[]')
        FROM refund_lines n JOIN order_lines l ON l.id = n.order_line_id WHERE n.refund_id = given_back.id),
      'reclaimed', :decimal(reclaimed_cents), 'canReclaim', bounced_at IS NOT NULL AND reclaimed_at IS NULL
        AND EXISTS (SELECT FROM credit_entries c WHERE c.order_id = $1 AND c.kind = 'bounced'
          AND c.amount_cents = given_back.amount_cents AND c.created_at = given_back.bounced_at),
      'bouncedAt', :iso(bounced_at), 'createdAt', :iso(created_at), 'changedAt', :iso(updated_at))
      ORDER BY created_at, id), '[]')
    FROM given_back),
  'requests', (
    SELECT coalesce(json_agg(json_build_object('lineId', q.order_line_id, 'title', l.title, 'reason', q.reason,
      'note', q.note, 'state', q.state, 'answer', q.answer, 'at', :iso(q.created_at)) ORDER BY q.created_at), '[]')
    FROM refund_requests q JOIN order_lines l ON l.id = q.order_line_id WHERE q.order_id = o.id),
  'approval', (
    SELECT json_build_object('id', a.id, 'amount', :decimal(a.amount_cents), 'reason', a.reason, 'askedBy', s.email,
      'at', :iso(a.created_at), 'lines', (
        SELECT json_agg(json_build_object('title', l.title, 'copies', n.quantity) ORDER BY l.position)
        FROM jsonb_to_recordset(a.lines) AS n ("orderLineId" uuid, quantity int) JOIN order_lines l ON l.id = n."orderLineId"),
      'used', (
        SELECT coalesce(json_agg(json_build_object('title', l.title, 'kind', kind, 'at', :iso(uses.created_at))
          ORDER BY uses.id DESC), '[]')
        FROM uses JOIN order_lines l ON l.id = uses.order_line_id WHERE uses.created_at > a.created_at))
    FROM refund_approvals a LEFT JOIN users s ON s.id = a.asked_by WHERE a.order_id = o.id AND a.state = 'waiting'),
  'disputes', (
    SELECT coalesce(json_agg(json_build_object('id', id, 'state', state, 'amount', :decimal(amount_cents),
      'openedAt', :iso(opened_at)) ORDER BY created_at), '[]')
    FROM disputes WHERE order_id = o.id),
  'bonus', (
    SELECT json_build_object('earned', :decimal(amount_cents), 'takenBack', :decimal(taken_back_cents))
    FROM credit_bonuses WHERE order_id = o.id AND amount_cents > 0),
  'risk', (
    SELECT json_build_object('decision', decision, 'score', score, 'reasons', reasons, 'at', :iso(created_at),
      'hold', (
        SELECT json_build_object('state', state, 'resolvedHow', resolved_how, 'endsAt', :iso(ends_at))
        FROM risk_holds WHERE order_id = o.id AND kind = 'hold' LIMIT 1))
    FROM risk_decisions WHERE order_id = o.id ORDER BY created_at DESC LIMIT 1),
  -- the refund mail of a mismatched payment has the payment's id
  'mails', (
    SELECT coalesce(json_agg(json_build_object('subject', subject, 'at', :iso(created_at), 'sentAt', :iso(sent_at),
      'isRefused', refused_at IS NOT NULL)
      ORDER BY created_at), '[]')
    FROM mails WHERE key = ANY (ARRAY['held:' || o.id, 'receipt:' || o.id]
      || ARRAY(SELECT 'refund:' || id FROM paid UNION ALL SELECT 'refund:' || id FROM given_back)))
) AS json
FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = $1
