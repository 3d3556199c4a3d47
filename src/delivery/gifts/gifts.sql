-- Gifts in the order in which a refund ends them: codes that a case refunds first, then waiting gifts, newest first.
-- @name lockGiftsToEnd
SELECT g.*, b.bad FROM gifts g CROSS JOIN LATERAL (SELECT count(*)::int AS bad FROM order_lines m
  JOIN codes c ON c.order_line_id = m.id AND c.state = 'sold'
  JOIN code_cases k ON k.code_id = c.id AND k.state IN ('refunding', 'refunded') WHERE m.gift_id = g.id) b
WHERE g.order_line_id = :orderLineId AND g.state IN ('open', 'claimed')
ORDER BY b.bad DESC, g.claimed_at DESC NULLS FIRST, g.created_at DESC FOR UPDATE OF g;

-- @name countMails
SELECT coalesce(sum(g.links), 0)::int AS mails FROM gifts g JOIN order_lines l ON l.id = g.order_line_id
JOIN orders o ON o.id = l.order_id
WHERE mailbox_of(g.to_email) = mailbox_of(:address) AND o.user_id = :giverId
  AND (g.sent_at IS NOT NULL OR g.state = 'open')
  AND coalesce(g.sent_at, g.send_at) BETWEEN :at::timestamptz - interval '1 day' AND :at + interval '1 day';

-- @name readCopies
SELECT l.quantity - coalesce(s.returned_quantity, 0) AS quantity,
  coalesce((SELECT g.copies FROM given_copies g WHERE g.order_line_id = l.id), 0) AS given,
  e.given_at IS NOT NULL AS is_given,
  coalesce((SELECT u.is_opened FROM entitlement_use u WHERE u.entitlement_id = e.id), false) AS is_used,
  (SELECT count(*)::int FROM codes c WHERE c.order_line_id = l.id AND c.state = 'sold' AND c.gift_id IS NULL) AS codes_left
FROM order_lines l LEFT JOIN earnings s ON s.order_line_id = l.id LEFT JOIN entitlements e ON e.order_line_id = l.id
WHERE l.id = :orderLineId;

-- @name readLineUses
SELECT l.id, l.delivery, e.given_at IS NOT NULL AS is_given, u.is_used, c.copies, c.names, c.is_opened
FROM order_lines l JOIN entitlements e ON e.order_line_id = l.id JOIN entitlement_use u ON u.entitlement_id = e.id
CROSS JOIN LATERAL (
  SELECT coalesce(sum(g.quantity), 0)::int AS copies, coalesce(bool_or(n.is_used), false) AS is_opened,
    coalesce(array_agg(DISTINCT g.to_name) FILTER (WHERE g.to_name <> ''), '{}') AS names
  FROM gifts g JOIN order_lines m ON m.gift_id = g.id JOIN entitlements f ON f.order_line_id = m.id
  JOIN entitlement_use n ON n.entitlement_id = f.id
  WHERE g.order_line_id = l.id AND g.state = 'claimed') c
WHERE l.order_id = :orderId;

-- @name forgetGifts
UPDATE gifts SET to_name = '', to_email = NULL, note = '', send_at = NULL
WHERE claimed_by = :userId OR order_line_id IN (SELECT l.id FROM order_lines l
  JOIN orders o ON o.id = l.order_id WHERE o.user_id = :userId);

-- @name readShownGift
-- @null userId
-- @type gift: import('./gifts.contract.ts').ShownGift
SELECT json_build_object(
  'state', CASE WHEN g.state = 'open' AND (s.is_disputed OR s.is_going_back) THEN 'closed'
    WHEN g.state = 'open' AND o.status <> 'completed' THEN 'ended' ELSE g.state END,
  'productId', p.id, 'title', l.title, 'categoryId', p.category_id,
  'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'kind', l.delivery, 'quantity', g.quantity,
  'from', shown_name(u, 'Someone'), 'toName', g.to_name, 'note', g.note, 'isOwn', coalesce(o.user_id = :userId::uuid, false),
  'orderId', CASE WHEN o.user_id = :userId THEN o.id
    WHEN g.claimed_by = :userId THEN (SELECT m.order_id FROM order_lines m WHERE m.gift_id = g.id) END) AS gift
FROM gifts g JOIN order_lines l ON l.id = g.order_line_id JOIN orders o ON o.id = l.order_id
JOIN line_standing s ON s.order_line_id = l.id
JOIN products p ON p.id = l.product_id JOIN users u ON u.id = o.user_id
WHERE g.token_hash = :tokenHash;
