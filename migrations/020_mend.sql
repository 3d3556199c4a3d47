-- The newest products first, whatever is featured; written so that one comparison of rows pages it.
CREATE INDEX products_newest ON products (created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_newest ON products (category_id, created_at DESC, id DESC) WHERE is_listed;
