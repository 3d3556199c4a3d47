-- One by one: a short list of pending changes, because each search reads the whole list. Then the indexes of a category by
-- price and of the end of a capture's id, by which staff search.
ALTER INDEX products_search SET (gin_pending_list_limit = 64);
ALTER INDEX products_title_words SET (gin_pending_list_limit = 64);
CREATE INDEX products_category_price ON products (category_id, price_cents, id) WHERE is_listed;
CREATE INDEX payments_capture_end ON payments (right(provider_capture_id, 8)) WHERE provider_capture_id IS NOT NULL;
