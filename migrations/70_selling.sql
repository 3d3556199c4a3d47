-- Imports of products from CSV files. A file is read into rows first; its seller looks at them before products are made.

CREATE TABLE product_imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  file_name text NOT NULL CHECK (length(file_name) <= 255),
  format text NOT NULL CHECK (format IN ('primo', 'gumroad', 'shopify')),
  state text NOT NULL DEFAULT 'reading' CHECK (state IN ('reading', 'preview', 'running', 'done', 'failed', 'undone')),
  -- columns with values that no product has a place for
  columns_left text[] NOT NULL DEFAULT '{}',
  ready int NOT NULL DEFAULT 0,
  known int NOT NULL DEFAULT 0,
  bad int NOT NULL DEFAULT 0,
  -- products made so far
  made int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX product_imports_seller ON product_imports (seller_id);
CREATE INDEX product_imports_age ON product_imports (created_at);

CREATE TABLE product_import_rows (
  import_id uuid NOT NULL REFERENCES product_imports ON DELETE CASCADE,
  -- as a spreadsheet counts; the header is 1
  number int NOT NULL,
  state text NOT NULL CHECK (state IN ('ready', 'known', 'bad')),
  key text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  price_cents bigint,
  category_id text,
  problem text,
  PRIMARY KEY (import_id, number)
);

-- What a file calls a product, so that the same file makes it once.
CREATE TABLE imported_products (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  key text NOT NULL,
  import_id uuid REFERENCES product_imports ON DELETE SET NULL
);
CREATE INDEX imported_products_key ON imported_products (seller_id, key);
CREATE INDEX imported_products_import ON imported_products (import_id);
