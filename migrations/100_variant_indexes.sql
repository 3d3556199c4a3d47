-- One by one: the variants of a product, a line of each product once in an order and its bundles, the lines of a bundle, and
-- lists of a kind and with what has sold out.
CREATE INDEX products_variants ON products (variant_of, variant_position) WHERE variant_of IS NOT NULL;
CREATE UNIQUE INDEX products_image ON products (image_object_id) WHERE variant_of IS NULL;
CREATE INDEX products_file ON products (file_id);
CREATE UNIQUE INDEX order_lines_once ON order_lines (order_id, product_id, bundle_id) NULLS NOT DISTINCT;
CREATE INDEX order_lines_bundle ON order_lines (bundle_id) WHERE bundle_id IS NOT NULL;
CREATE INDEX products_shown_newest ON products (created_at DESC, id DESC) WHERE is_shown;
CREATE INDEX products_own_pages ON products (seller_id, created_at DESC, id DESC) WHERE deleted_at IS NULL AND variant_of IS NULL;
CREATE INDEX products_kind_newest ON products (delivery, created_at DESC, id DESC) WHERE is_listed;
