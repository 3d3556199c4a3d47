-- The database's clock decides `is_expired`.
-- @name findOrder
SELECT o.*, o.expires_at <= now() AS is_expired FROM orders o WHERE o.id = :id;

-- @name lockOrder
SELECT o.*, o.expires_at <= now() AS is_expired FROM orders o WHERE o.id = :id FOR NO KEY UPDATE;

-- @name findLines
SELECT l.* FROM order_lines l WHERE l.order_id = :orderId ORDER BY l.position;

-- The user's newest order that can still be paid.
-- @name findPendingOrder
SELECT o.*, o.expires_at <= now() AS is_expired FROM orders o
WHERE o.user_id = :userId AND o.status = 'pending' AND o.expires_at > now() ORDER BY o.created_at DESC, o.id LIMIT 1;

-- @name findPlaced
-- @null payment_method, payment_id, completed_at
-- @type status: 'pending' | 'completed' | 'failed' | 'refunded'
-- @type source: 'cart' | 'product' | 'gift'
SELECT o.*, o.expires_at <= now() AS is_expired FROM find_placed(:userId, :checkoutKey) o;

-- Orders with a number, complete or its last eight characters.
-- @name findByNumber
-- @null wholeId, short
SELECT o.id, u.email AS buyer, o.total_cents, o.created_at FROM orders o JOIN users u ON u.id = o.user_id
WHERE o.id = :wholeId OR right(o.id::text, 8) = :short ORDER BY o.created_at DESC LIMIT 10;
