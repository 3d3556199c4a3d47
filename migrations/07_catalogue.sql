-- Categories, products, their files, and saved products.

-- fuzzy search of titles
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE categories (
  id text PRIMARY KEY CHECK (id ~ '^[a-z][a-z-]{1,40}$'),
  name text NOT NULL UNIQUE,
  position int NOT NULL UNIQUE
);
INSERT INTO categories (id, name, position) VALUES
  ('gift-cards', 'Gift Cards', 1),
  ('crypto', 'Crypto', 2),
  ('prepaid', 'Prepaid Visa Cards', 3),
  ('ebooks', 'E-Books', 4),
  ('courses', 'Online Courses', 5),
  ('software', 'Software', 6),
  ('audio', 'Audio', 7);

CREATE TABLE products (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  category_id text NOT NULL REFERENCES categories ON DELETE RESTRICT,
  title text NOT NULL CHECK (length(btrim(title)) BETWEEN 1 AND 200),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 10000),
  price_cents bigint NOT NULL CHECK (price_cents BETWEEN 1 AND 99999999),
  -- a 'file' product never runs out; a 'code' product sells one of its codes per unit
  delivery text NOT NULL DEFAULT 'file' CHECK (delivery IN ('file', 'code')),
  image_object_id uuid UNIQUE REFERENCES objects ON DELETE RESTRICT,
  -- the current version of the file
  file_id uuid,
  is_active boolean NOT NULL DEFAULT true,
  featured_rank int UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  search tsvector NOT NULL GENERATED ALWAYS AS (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'B')
  ) STORED,
  -- shoppers can see and buy it
  is_listed boolean NOT NULL
    GENERATED ALWAYS AS (is_active AND deleted_at IS NULL AND (delivery = 'code' OR file_id IS NOT NULL)) STORED
);

-- Versions of a product's file. Buyers keep the version they bought, so a row that was sold is never deleted.
CREATE TABLE product_files (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  object_id uuid NOT NULL UNIQUE REFERENCES objects ON DELETE RESTRICT,
  file_name text NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
  content_type text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (product_id, id)
);
ALTER TABLE products ADD FOREIGN KEY (id, file_id) REFERENCES product_files (product_id, id) ON DELETE RESTRICT;

CREATE INDEX products_price ON products (price_cents, id) WHERE is_listed;
CREATE INDEX products_title ON products (lower(title), id) WHERE is_listed;
CREATE INDEX products_seller ON products (seller_id, created_at DESC);
CREATE INDEX products_search ON products USING gin (search);
CREATE INDEX products_title_trgm ON products USING gin (title gin_trgm_ops);
-- for the change feed of open pages
CREATE INDEX products_updated ON products (updated_at DESC);
-- Featured products first, then the newest. The expression lets one row comparison page the list.
CREATE INDEX products_shelf ON products ((coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_shelf ON products (category_id, (coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_newest ON products (created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_newest ON products (category_id, created_at DESC, id DESC) WHERE is_listed;

-- Every node caches catalogue answers; a change evicts them. One message per transaction is enough.
CREATE FUNCTION tell_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', '');
  RETURN NULL;
END $$;
CREATE TRIGGER products_tell AFTER INSERT OR UPDATE OR DELETE ON products FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
CREATE TRIGGER categories_tell AFTER INSERT OR UPDATE OR DELETE ON categories FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

CREATE FUNCTION touch_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER products_touch BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION touch_product();

-- loads pg_trgm: a role that is no superuser may set an extension's parameter only once its library is loaded
SELECT similarity('', '');

-- Listed products with a title word similar to `wanted`, best first. The threshold lets 'pyhton' match Python; results
-- far below the best match are dropped.
CREATE FUNCTION find_titles_like(wanted text) RETURNS TABLE (id uuid, score int)
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.4 AS $$
  SELECT found.id, found.score FROM (
    SELECT p.id, p.score, max(p.score) OVER () AS best FROM (
      SELECT products.id, (word_similarity(wanted, title) * 100000)::int AS score
      FROM products WHERE is_listed AND title %> wanted AND length(wanted) > 2
    ) p
  ) found
  WHERE found.score >= 0.8 * best
  ORDER BY found.score DESC, found.id LIMIT 200
$$;

-- The wishlist. A removed product keeps its row for a while, so that Undo restores its place.
CREATE TABLE saved_products (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  PRIMARY KEY (user_id, product_id)
);
CREATE INDEX saved_products_product ON saved_products (product_id);
