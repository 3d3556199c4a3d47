-- The words of the newest titles, most frequent first. The limit bounds the work.
-- @name readWords
SELECT word FROM ts_stat($$
  SELECT to_tsvector('simple', search_text(concat_ws(' ', p.title, c.name, u.first_name)))
  FROM (SELECT * FROM products WHERE is_listed ORDER BY created_at DESC, id DESC LIMIT 5000) p
  JOIN categories c ON c.id = p.category_id JOIN users u ON u.id = p.seller_id AND u.erased_at IS NULL$$)
WHERE word !~ '[^[:alnum:]]' ORDER BY nentry DESC, word;
