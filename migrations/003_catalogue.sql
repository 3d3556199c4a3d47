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
  -- 'file' products are unlimited; each 'code' product sells its own codes, one a unit
  delivery text NOT NULL DEFAULT 'file' CHECK (delivery IN ('file', 'code')),
  image_object_id uuid UNIQUE REFERENCES objects ON DELETE RESTRICT,
  file_id uuid,
  is_active boolean NOT NULL DEFAULT true,
  featured_rank int UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  search tsvector NOT NULL GENERATED ALWAYS AS (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'B')
  ) STORED
);

-- Versions of a product's deliverable; a buyer keeps the one bought, so a row that was sold is never removed.
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

-- What may be seen and bought: active, not deleted, and with something to deliver.
ALTER TABLE products ADD is_listed boolean NOT NULL
  GENERATED ALWAYS AS (is_active AND deleted_at IS NULL AND (delivery = 'code' OR file_id IS NOT NULL)) STORED;

CREATE INDEX products_listed ON products (created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category ON products (category_id, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_price ON products (price_cents, id) WHERE is_listed;
CREATE INDEX products_title ON products (lower(title), id) WHERE is_listed;
CREATE INDEX products_seller ON products (seller_id, created_at DESC);
CREATE INDEX products_search ON products USING gin (search);
CREATE INDEX products_title_trgm ON products USING gin (title gin_trgm_ops);

-- Cached answers everywhere are dropped when the catalogue changes; one notice a transaction is enough.
CREATE FUNCTION tell_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', '');
  RETURN NULL;
END $$;
CREATE TRIGGER products_tell AFTER INSERT OR UPDATE OR DELETE ON products FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
CREATE TRIGGER categories_tell AFTER INSERT OR UPDATE OR DELETE ON categories FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
