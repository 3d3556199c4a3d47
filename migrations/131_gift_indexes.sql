-- One by one: the gift of a repeated press, the mails to one address, and the sales of a product.
CREATE UNIQUE INDEX gifts_key ON gifts (order_line_id, give_key) WHERE give_key IS NOT NULL;
CREATE INDEX gifts_address ON gifts (mailbox_of(to_email)) WHERE to_email IS NOT NULL;
CREATE INDEX entitlements_sold ON entitlements (product_id)
  WHERE (revoked_at IS NULL OR given_at IS NOT NULL) AND NOT is_gift;
