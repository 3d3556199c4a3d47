-- One by one: the ratings of existing products, which locks rows only. Then the indexes of the order by rating, of titles
-- alone for searches with many matches, and of two joins and a count of staff.
UPDATE ratings SET stars_1 = stars_1;
CREATE INDEX products_rated ON products (rated DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_rated ON products (category_id, rated DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_title_words ON products USING gin (to_tsvector('english', plain_text(title))) WHERE is_listed;
CREATE INDEX users_id_text ON users ((id::text));
CREATE INDEX mails_unsent ON mails (created_at) WHERE sent_at IS NULL;
