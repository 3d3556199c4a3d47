-- @name readStanding
SELECT is_going_back OR is_disputed AS is_closed FROM line_standing WHERE order_line_id = :lineId;

-- The title and the giver of a gift. `is_disputed`: a lost dispute returned the money of its order.
-- @name readAbout
SELECT l.title, shown_name(u, 'Someone') AS giver,
  EXISTS (SELECT FROM disputes d WHERE d.order_id = o.id AND d.state = 'lost') AS is_disputed
FROM gifts g JOIN order_lines l ON l.id = g.order_line_id JOIN orders o ON o.id = l.order_id JOIN users u ON u.id = o.user_id
WHERE g.id = :giftId;
