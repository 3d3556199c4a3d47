-- One by one: the sales of a product, and the carts that hold it.
CREATE INDEX entitlements_product ON entitlements (product_id, revoked_at);
CREATE INDEX cart_items_product ON cart_items (product_id);
