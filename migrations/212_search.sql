-- As in 210_search.sql. The conflict looks up each form in the index; a separate test for new forms read the whole table.
CREATE OR REPLACE FUNCTION index_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  title text := search_text(NEW.title);
  body text := coalesce(search_text(NEW.description), '');
  written tsvector := to_tsvector('simple', title || ' ' || body);
BEGIN
  SELECT setweight(to_tsvector('simple', title) || to_tsvector('english', title), 'A')
      || setweight(to_tsvector('english', search_text(concat_ws(' ', c.name, c.id,
          CASE NEW.delivery WHEN 'code' THEN 'code key' ELSE substring(f.file_name FROM '[^.]+$') END))), 'B')
      || setweight(to_tsvector('simple', concat_ws(' ', NEW.price_cents / 100, round(NEW.price_cents / 100.0, 2),
          CASE WHEN u.erased_at IS NULL THEN search_text(concat_ws(' ', u.first_name, left(btrim(u.last_name), 1))) END)), 'C')
      || setweight(to_tsvector('english', body) || to_tsvector('simple', search_parts(title || ' ' || body)), 'D')
    INTO NEW.search
    FROM categories c
    LEFT JOIN users u ON u.id = NEW.seller_id
    LEFT JOIN product_files f ON f.id = NEW.file_id
    WHERE c.id = NEW.category_id;
  -- without a category the foreign key refuses the row
  NEW.search := coalesce(NEW.search, '');
  INSERT INTO search_forms
    SELECT word FROM unnest(tsvector_to_array(written)) word
    WHERE length(word) BETWEEN 3 AND 40 ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
