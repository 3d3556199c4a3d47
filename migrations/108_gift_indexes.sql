-- One by one: the line of a gift, the codes that wait for one, and what a member owns of a product.
CREATE UNIQUE INDEX order_lines_gift ON order_lines (gift_id) WHERE gift_id IS NOT NULL;
CREATE INDEX codes_gift ON codes (gift_id) WHERE gift_id IS NOT NULL;
CREATE INDEX entitlements_owned ON entitlements (user_id, product_id) WHERE revoked_at IS NULL;
