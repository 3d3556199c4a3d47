-- The products an account has saved to look at again. They may leave the shop meanwhile; the page says so. What was
-- taken out stays for a while with its time, so that it can come back to its place.
CREATE TABLE saved_products (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  PRIMARY KEY (user_id, product_id)
);
CREATE INDEX saved_products_product ON saved_products (product_id);
