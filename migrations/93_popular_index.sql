-- One by one: products by the number of their buyers, in the whole shop and in a category.
CREATE INDEX products_popular ON products (recent_buyers DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_popular ON products (category_id, recent_buyers DESC, created_at DESC, id DESC) WHERE is_listed;
