-- One by one: a seller's own products by price and by title.
CREATE INDEX products_own_price ON products (seller_id, price_cents DESC, id DESC) WHERE deleted_at IS NULL AND variant_of IS NULL;
CREATE INDEX products_own_title ON products (seller_id, lower(title), id) WHERE deleted_at IS NULL AND variant_of IS NULL;
