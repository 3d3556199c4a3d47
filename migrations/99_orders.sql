-- A line that was sold in a bundle names it. Several lines of an order may be of one product: alone, and in each bundle.
ALTER TABLE order_lines
  ADD COLUMN bundle_id uuid REFERENCES products ON DELETE RESTRICT,
  ADD COLUMN bundle_title text,
  ADD CONSTRAINT order_lines_bundle CHECK ((bundle_id IS NULL) = (bundle_title IS NULL)),
  DROP CONSTRAINT order_lines_order_id_product_id_key;
