CREATE INDEX products_search ON products USING gin (search);
