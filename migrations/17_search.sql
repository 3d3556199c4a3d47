-- The search also reads category, kind, seller and price. They come from other rows, so triggers write the words.
ALTER TABLE products DROP COLUMN search;
ALTER TABLE products ADD COLUMN search tsvector NOT NULL DEFAULT '';

-- Lower case without accents: 'Café' is found as 'cafe'. `search.rules.ts` does the same to what was typed.
CREATE FUNCTION plain_text(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(regexp_replace(normalize(said, NFD), '[\u0300-\u036f]', '', 'g'))
$$;

-- Weights: A the title, as it stands and by stem; B category and kind; C the seller's public name and the price; D the
-- description.
CREATE FUNCTION index_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT setweight(to_tsvector('simple', plain_text(NEW.title)) || to_tsvector('english', plain_text(NEW.title)), 'A')
      || setweight(to_tsvector('english', plain_text(concat_ws(' ', c.name, c.id,
          CASE NEW.delivery WHEN 'code' THEN 'code key' ELSE substring(f.file_name FROM '[^.]+$') END))), 'B')
      || setweight(to_tsvector('simple', concat_ws(' ', NEW.price_cents / 100, round(NEW.price_cents / 100.0, 2),
          CASE WHEN u.erased_at IS NULL THEN plain_text(concat_ws(' ', u.first_name, left(btrim(u.last_name), 1))) END)), 'C')
      || setweight(to_tsvector('english', plain_text(NEW.description)), 'D')
    INTO NEW.search
    FROM categories c
    LEFT JOIN users u ON u.id = NEW.seller_id
    LEFT JOIN product_files f ON f.id = NEW.file_id
    WHERE c.id = NEW.category_id;
  -- without a category the foreign key refuses the row
  NEW.search := coalesce(NEW.search, '');
  RETURN NEW;
END $$;
CREATE TRIGGER products_index
  BEFORE INSERT OR UPDATE OF title, description, category_id, seller_id, delivery, price_cents, file_id ON products
  FOR EACH ROW EXECUTE FUNCTION index_product();

CREATE FUNCTION index_products_of_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- even an update of no row would evict the catalogue on every node
  IF EXISTS (SELECT FROM products WHERE seller_id = NEW.id) THEN
    UPDATE products SET seller_id = seller_id WHERE seller_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_index_products AFTER UPDATE OF first_name, last_name, erased_at ON users FOR EACH ROW
  WHEN ((OLD.first_name, OLD.last_name, OLD.erased_at) IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.erased_at))
  EXECUTE FUNCTION index_products_of_seller();

CREATE FUNCTION index_products_of_category() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET category_id = category_id WHERE category_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER categories_index_products AFTER UPDATE OF name ON categories
  FOR EACH ROW EXECUTE FUNCTION index_products_of_category();

-- not a change that open pages need to hear of
ALTER TABLE products DISABLE TRIGGER products_touch;
UPDATE products SET category_id = category_id;
ALTER TABLE products ENABLE TRIGGER products_touch;
