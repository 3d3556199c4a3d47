-- @name readCredit
-- @null held_cents, held_until
SELECT coalesce(a.balance_cents, 0) AS balance_cents, h.cents AS held_cents, h.until AS held_until, u.email_verified AS is_verified,
  NOT EXISTS (SELECT FROM bonus_bar b WHERE b.user_id = u.id) AS is_new_buyer
FROM users u LEFT JOIN credit_accounts a ON a.user_id = u.id LEFT JOIN held_bonus(:userId, :holdDays) h ON true
WHERE u.id = :userId;

-- @name listEntries
SELECT id, kind, amount_cents, order_id, why, created_at FROM credit_entries WHERE user_id = :userId ORDER BY id DESC LIMIT :most;

-- @name listCategories
SELECT id, name, is_cash, earns_bonus FROM categories ORDER BY position;

-- @name readHeld
SELECT cents FROM held_bonus(:userId, :holdDays);

-- The bonus is for the first order paid with money. The buyer's address must be verified.
-- @name canEarn
SELECT u.email_verified AND NOT EXISTS (
  SELECT FROM bonus_bar b WHERE b.user_id = u.id AND b.order_id IS DISTINCT FROM :orderId::uuid) AS can_earn
FROM users u WHERE u.id = :userId;
