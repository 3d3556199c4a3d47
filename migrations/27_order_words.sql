-- staff find 'Café' as 'cafe', as shoppers do
CREATE INDEX order_lines_words ON order_lines USING gin (to_tsvector('english', plain_text(title)));
