-- One by one: the indexes of titles of products and orders by `search_text`, of the words that contain a part, and of products
-- whose search text is a former one.
CREATE INDEX CONCURRENTLY products_title_search ON products USING gin (to_tsvector('english', search_text(title)))
  WITH (gin_pending_list_limit = 64) WHERE is_listed;
CREATE INDEX CONCURRENTLY order_lines_search ON order_lines USING gin (to_tsvector('english', search_text(title)));
CREATE INDEX CONCURRENTLY search_forms_part ON search_forms USING gin (form gin_trgm_ops);
CREATE INDEX CONCURRENTLY products_search_former ON products (id) WHERE search_version = 1;
