-- One by one: the products of a seller, newest first, and their number.
CREATE INDEX products_own ON products (seller_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
