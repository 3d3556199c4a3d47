-- Locks the order of a claimed gift's giver, against a refund and a dispute.
-- @name lockGiftOrder
SELECT FROM order_lines l JOIN gifts g ON g.id = l.gift_id JOIN order_lines b ON b.id = g.order_line_id
JOIN orders o ON o.id = b.order_id WHERE l.id = :lineId FOR SHARE OF o;

-- @name lockOwnOrder
SELECT FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE l.id = :lineId AND o.user_id = :userId FOR SHARE OF o;

-- @name findGoods
-- @null orderId
SELECT e.id, e.file_id, l.delivery, c.is_cash,
  (SELECT s.is_going_back FROM line_standing s WHERE s.order_line_id = l.id) AS is_going_back,
  (SELECT s.is_disputed FROM line_standing s WHERE s.order_line_id = l.id) AS is_disputed
FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id
WHERE l.id = :lineId AND (:orderId::uuid IS NULL OR o.id = :orderId) AND o.user_id = :userId AND o.status = 'completed'
  AND (e.revoked_at IS NULL OR :isForGift::boolean AND e.given_at IS NOT NULL)
FOR SHARE OF e;
