-- One by one: each statement is a transaction of its own, and keeps writers out of one table only while it builds. What is
-- there already from an earlier try is left alone.

-- How staff find orders: the newest, those of one status, by the number as it is shown, by what was bought, by its buyer.
CREATE INDEX IF NOT EXISTS orders_newest ON orders (created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS orders_status ON orders (status, created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS orders_short ON orders (right(id::text, 8));
CREATE INDEX IF NOT EXISTS order_lines_title ON order_lines USING gin (to_tsvector('english', title));
CREATE INDEX IF NOT EXISTS users_email_prefix ON users (email text_pattern_ops);

-- What an account has paid in money is the total without the part that credit paid, without what went back of it since.
CREATE INDEX IF NOT EXISTS orders_paid_sums ON orders (user_id, status) INCLUDE (total_cents, credit_cents);
CREATE INDEX IF NOT EXISTS payments_part_refunded ON payments (order_id) WHERE status = 'part_refunded';

-- Wallets that are still to be revoked at the provider; of those erased before this version nothing is left to do it by.
UPDATE wallets SET revoked_at = removed_at WHERE removed_at IS NOT NULL AND revoked_at IS NULL AND vault_id LIKE 'erased-%';
CREATE INDEX IF NOT EXISTS wallets_to_revoke ON wallets (removed_at) WHERE removed_at IS NOT NULL AND revoked_at IS NULL;
