-- One by one: the list of the uses of a discount code reads a page of the newest.
CREATE INDEX CONCURRENTLY discount_uses_newest ON discount_uses (discount_id, created_at DESC, order_id DESC) WHERE returned_at IS NULL;
