-- A seller's sums, notices, page and imports.

-- Changes of a seller's sales since the last run of the job. Reads add them to the daily sums, which are always exact.
CREATE TABLE seller_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id uuid NOT NULL,
  -- own: a purchase by the seller, which is not part of any sum
  kind text NOT NULL CHECK (kind IN ('sale', 'refund', 'review', 'own')),
  order_line_id uuid NOT NULL,
  -- the day of the sale in UTC, also for a later refund
  day date NOT NULL,
  -- the amounts that the event adds to that day
  orders int NOT NULL DEFAULT 0,
  sales int NOT NULL DEFAULT 0,
  refunds int NOT NULL DEFAULT 0,
  gross_cents bigint NOT NULL DEFAULT 0,
  fee_cents bigint NOT NULL DEFAULT 0,
  returned_cents bigint NOT NULL DEFAULT 0
);
CREATE INDEX seller_events_seller ON seller_events (seller_id, id);

-- Sums per seller and day: of all products, of each product, and of each country of buyers.
CREATE TABLE sales_days (
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('all', 'product', 'country')),
  day date NOT NULL,
  -- the id of the product or the code of the country; empty for all products and for an unknown country
  key text NOT NULL,
  -- counts an order once, even with several products
  orders int NOT NULL DEFAULT 0,
  sales int NOT NULL DEFAULT 0,
  -- sales of this day that were refunded in part or whole, at any time
  refunds int NOT NULL DEFAULT 0,
  gross_cents bigint NOT NULL DEFAULT 0,
  fee_cents bigint NOT NULL DEFAULT 0,
  returned_cents bigint NOT NULL DEFAULT 0,
  -- views by members other than the seller
  views int NOT NULL DEFAULT 0,
  PRIMARY KEY (seller_id, kind, day, key)
);
CREATE INDEX sales_days_day ON sales_days (day) WHERE kind = 'all';

CREATE FUNCTION utc_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS
  $$ SELECT (moment AT TIME ZONE 'UTC')::date $$;

CREATE FUNCTION is_own_purchase(wanted uuid, seller uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM orders WHERE id = wanted AND user_id = seller)
$$;

CREATE FUNCTION note_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- the payments room inserts all lines of an order in one statement, so the first line of a seller counts the order
  INSERT INTO seller_events (seller_id, kind, order_line_id, day, orders, sales, gross_cents, fee_cents)
    SELECT seller_id, 'sale', order_line_id, utc_day(earned_at),
      (row_number() OVER (PARTITION BY order_id, seller_id ORDER BY order_line_id) = 1)::int, 1, gross_cents, fee_cents
    FROM added WHERE NOT is_own_purchase(order_id, seller_id);
  INSERT INTO seller_events (seller_id, kind, order_line_id, day)
    SELECT seller_id, 'own', order_line_id, utc_day(earned_at) FROM added WHERE is_own_purchase(order_id, seller_id);
  RETURN NULL;
END $$;
CREATE TRIGGER earnings_note_sales AFTER INSERT ON earnings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_sales();

CREATE FUNCTION note_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO seller_events (seller_id, kind, order_line_id, day, refunds, gross_cents, fee_cents, returned_cents)
    SELECT n.seller_id, 'refund', n.order_line_id, utc_day(n.earned_at),
      (n.returned_cents > 0)::int - (o.returned_cents > 0)::int, n.gross_cents - o.gross_cents,
      (n.fee_cents - n.returned_fee_cents) - (o.fee_cents - o.returned_fee_cents), n.returned_cents - o.returned_cents
    FROM changed n JOIN former o USING (order_line_id)
    WHERE (n.gross_cents, n.fee_cents, n.returned_cents, n.returned_fee_cents)
      <> (o.gross_cents, o.fee_cents, o.returned_cents, o.returned_fee_cents)
      AND NOT is_own_purchase(n.order_id, n.seller_id);
  RETURN NULL;
END $$;
CREATE TRIGGER earnings_note_refunds AFTER UPDATE ON earnings REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_refunds();

CREATE FUNCTION note_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO seller_events (seller_id, kind, order_line_id, day)
    SELECT seller_id, 'review', NEW.order_line_id, utc_day(NEW.created_at) FROM products WHERE id = NEW.product_id;
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_note AFTER INSERT ON reviews FOR EACH ROW
  WHEN (NEW.order_line_id IS NOT NULL) EXECUTE FUNCTION note_review();

-- Returns the country of the last risk decision about an order; empty if it is unknown.
CREATE FUNCTION country_of_order(wanted uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT country FROM risk_decisions WHERE order_id = wanted ORDER BY created_at DESC LIMIT 1), '')
$$;

-- Mails that a seller wants about each subject: every event, a digest of the day, or nothing.
CREATE TABLE seller_wishes (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  sales text NOT NULL CHECK (sales IN ('each', 'daily', 'off')),
  refunds text NOT NULL CHECK (refunds IN ('each', 'daily', 'off')),
  reviews text NOT NULL CHECK (reviews IN ('each', 'daily', 'off')),
  stock text NOT NULL CHECK (stock IN ('each', 'daily', 'off')),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Counts for a seller's next digest. A job mails a day that is over and deletes its row in one transaction.
CREATE TABLE seller_digests (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  sales int NOT NULL DEFAULT 0,
  sold_cents bigint NOT NULL DEFAULT 0,
  refunds int NOT NULL DEFAULT 0,
  refunded_cents bigint NOT NULL DEFAULT 0,
  reviews int NOT NULL DEFAULT 0,
  low int NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX seller_digests_day ON seller_digests (day);

-- Room: catalogue

-- Every address that a member has chosen. A former one redirects to the page. Without a member, it is reserved.
CREATE TABLE seller_handles (
  handle text PRIMARY KEY CHECK (handle ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(handle) BETWEEN 3 AND 30),
  user_id uuid REFERENCES users ON DELETE CASCADE,
  taken_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, handle)
);
INSERT INTO seller_handles (handle) SELECT unnest(ARRAY['about', 'abuse', 'account', 'admin', 'administrator', 'anonymous', 'api',
  'app', 'assets', 'billing', 'cart', 'contact', 'deleted', 'edit', 'everyone', 'former-member', 'help', 'home', 'info', 'legal',
  'login', 'logout', 'mail', 'moderation', 'moderator', 'new', 'nobody', 'null', 'official', 'orders', 'owner', 'payment',
  'payments', 'payouts', 'privacy', 'primo', 'primo-seller', 'profile', 'refunds', 'root', 'search', 'security', 'seller', 'sellers',
  'settings', 'shop', 'staff', 'status', 'store', 'support', 'system', 'team', 'terms', 'trust', 'undefined', 'verified', 'webmaster',
  'www']);

CREATE TABLE storefronts (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  handle text NOT NULL UNIQUE,
  bio text NOT NULL DEFAULT '' CHECK (length(bio) <= 500),
  -- when a product of the seller was first on sale; until then, the page does not exist
  opened_at timestamptz,
  FOREIGN KEY (user_id, handle) REFERENCES seller_handles (user_id, handle) ON DELETE CASCADE
);
-- Every node caches the pages of sellers. A change of a name evicts them through the seller's products.
CREATE TRIGGER storefronts_tell AFTER INSERT OR UPDATE OR DELETE ON storefronts FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

-- Opens the page of a seller. Without a chosen address, derives it from the public name.
CREATE FUNCTION open_storefront(seller uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  base text;
  tried text;
  attempt int := 0;
BEGIN
  UPDATE storefronts SET opened_at = now() WHERE user_id = seller AND opened_at IS NULL;
  IF FOUND OR EXISTS (SELECT FROM storefronts WHERE user_id = seller) THEN RETURN; END IF;
  SELECT btrim(left(btrim(regexp_replace(fold_text(concat_ws(' ', btrim(first_name), left(btrim(last_name), 1))),
    '[^a-z0-9]+', '-', 'g'), '-'), 23), '-') INTO base FROM users WHERE id = seller;
  IF length(base) < 3 THEN base := 'seller'; END IF;
  LOOP
    tried := base || CASE attempt WHEN 0 THEN '' WHEN 1 THEN '-2' WHEN 2 THEN '-3' ELSE '-' || left(md5(gen_random_uuid()::text), 6) END;
    INSERT INTO seller_handles (handle, user_id) VALUES (tried, seller) ON CONFLICT DO NOTHING;
    EXIT WHEN FOUND;
    attempt := attempt + 1;
  END LOOP;
  INSERT INTO storefronts (user_id, handle, opened_at) VALUES (seller, tried, now())
    ON CONFLICT (user_id) DO UPDATE SET opened_at = coalesce(storefronts.opened_at, now());
END $$;

CREATE FUNCTION open_storefront_of_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM storefronts WHERE user_id = NEW.seller_id AND opened_at IS NOT NULL) THEN
    PERFORM open_storefront(NEW.seller_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER products_open_storefront_new AFTER INSERT ON products FOR EACH ROW
  WHEN (NEW.is_listed) EXECUTE FUNCTION open_storefront_of_product();
CREATE TRIGGER products_open_storefront AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.is_listed AND NOT OLD.is_listed) EXECUTE FUNCTION open_storefront_of_product();

CREATE FUNCTION tell_storefront() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM storefronts WHERE user_id = NEW.id) THEN PERFORM pg_notify('catalogue', ''); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_tell_storefront AFTER UPDATE OF image ON users FOR EACH ROW
  WHEN (OLD.image IS DISTINCT FROM NEW.image) EXECUTE FUNCTION tell_storefront();

-- Room: selling

-- Imports of products from CSV files. The file is read into rows, which the seller reviews before products are created.
CREATE TABLE product_imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  file_name text NOT NULL CHECK (length(file_name) <= 255),
  format text NOT NULL CHECK (format IN ('primo', 'gumroad', 'shopify', 'woocommerce')),
  state text NOT NULL DEFAULT 'reading' CHECK (state IN ('reading', 'preview', 'running', 'done', 'failed', 'undone')),
  -- columns that the import ignores
  columns_left text[] NOT NULL DEFAULT '{}',
  ready int NOT NULL DEFAULT 0,
  known int NOT NULL DEFAULT 0,
  bad int NOT NULL DEFAULT 0,
  -- products created so far
  made int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  noted int NOT NULL DEFAULT 0
);
CREATE INDEX product_imports_seller ON product_imports (seller_id);
CREATE INDEX product_imports_age ON product_imports (created_at);

CREATE TABLE product_import_rows (
  import_id uuid NOT NULL REFERENCES product_imports ON DELETE CASCADE,
  -- the row number in a spreadsheet; the header is 1
  number int NOT NULL,
  state text NOT NULL CHECK (state IN ('ready', 'known', 'bad')),
  key text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  price_cents bigint,
  category_id text,
  problem text,
  suggested_cents bigint,
  -- parts of the product that the import omits, such as variants
  note text,
  PRIMARY KEY (import_id, number)
);

-- The key of a product in its file, so that importing the file again does not add it again.
CREATE TABLE imported_products (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  key text NOT NULL,
  import_id uuid REFERENCES product_imports ON DELETE SET NULL
);
CREATE INDEX imported_products_key ON imported_products (seller_id, key);
CREATE INDEX imported_products_import ON imported_products (import_id);

-- The last day of a seller's sums. A writer of the sums locks this row first.
CREATE TABLE product_sum_days (
  seller_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  day date NOT NULL
);
CREATE INDEX product_sum_days_day ON product_sum_days (day);

CREATE TABLE product_sums (
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- the length of the period
  days int NOT NULL,
  -- the product's id, as in sales_days
  key text NOT NULL,
  sales int NOT NULL,
  gross_cents bigint NOT NULL,
  views int NOT NULL,
  PRIMARY KEY (seller_id, days, key)
);
CREATE INDEX product_sums_best ON product_sums (seller_id, days, gross_cents DESC, key) WHERE sales > 0;

CREATE FUNCTION periods_of_sales() RETURNS SETOF int LANGUAGE sql IMMUTABLE ROWS 4 AS $$ VALUES (7), (30), (90), (365) $$;

-- Each statement sees rows committed while the previous one waited for a lock.
CREATE FUNCTION add_product_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_sum_days (seller_id, day)
    SELECT DISTINCT seller_id, utc_day(now()) FROM added WHERE kind = 'product' ORDER BY 1 ON CONFLICT DO NOTHING;
  PERFORM FROM product_sum_days WHERE seller_id IN (SELECT seller_id FROM added WHERE kind = 'product')
    ORDER BY seller_id FOR NO KEY UPDATE;
  INSERT INTO product_sums AS p (seller_id, days, key, sales, gross_cents, views)
    SELECT a.seller_id, period, a.key, sum(a.sales), sum(a.gross_cents), sum(a.views)
    FROM added a JOIN product_sum_days s USING (seller_id) CROSS JOIN periods_of_sales() period
    WHERE a.kind = 'product' AND a.day > s.day - period GROUP BY 1, 2, 3
  ON CONFLICT (seller_id, days, key) DO UPDATE SET sales = p.sales + excluded.sales,
    gross_cents = p.gross_cents + excluded.gross_cents, views = p.views + excluded.views;
  RETURN NULL;
END $$;
CREATE TRIGGER sales_days_add AFTER INSERT ON sales_days REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_product_sums();
CREATE TRIGGER sales_days_add_new AFTER UPDATE ON sales_days REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_product_sums();

-- Subtracts the former values of an updated day. The trigger that ran before holds the lock.
CREATE FUNCTION take_product_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE product_sums p SET sales = p.sales - f.sales, gross_cents = p.gross_cents - f.gross_cents, views = p.views - f.views
  FROM (SELECT f.seller_id, period AS days, f.key, sum(f.sales) AS sales, sum(f.gross_cents) AS gross_cents, sum(f.views) AS views
    FROM former f JOIN product_sum_days s USING (seller_id) CROSS JOIN periods_of_sales() period
    WHERE f.kind = 'product' AND f.day > s.day - period GROUP BY 1, 2, 3) f
  WHERE p.seller_id = f.seller_id AND p.days = f.days AND p.key = f.key;
  RETURN NULL;
END $$;
CREATE TRIGGER sales_days_take_former AFTER UPDATE ON sales_days REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION take_product_sums();

-- Moves the periods of a seller to today by subtracting the days that leave them.
CREATE FUNCTION move_product_sums(seller uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last date;
BEGIN
  SELECT day INTO last FROM product_sum_days WHERE seller_id = seller FOR NO KEY UPDATE;
  IF last IS NULL OR last >= utc_day(now()) THEN RETURN; END IF;
  UPDATE product_sums p SET sales = p.sales - d.sales, gross_cents = p.gross_cents - d.gross_cents, views = p.views - d.views
  FROM (SELECT period AS days, key, sum(sales) AS sales, sum(gross_cents) AS gross_cents, sum(views) AS views
    FROM periods_of_sales() period JOIN sales_days ON seller_id = seller AND kind = 'product'
      AND day > last - period AND day <= utc_day(now()) - period GROUP BY 1, 2) d
  WHERE p.seller_id = seller AND p.days = d.days AND p.key = d.key;
  UPDATE product_sum_days SET day = utc_day(now()) WHERE seller_id = seller;
END $$;

-- Sales and views of each product, so that a seller's best products are an index lookup. No order writes this table in
-- its transaction, because buyers of the same product would wait for each other.
CREATE TABLE product_counts (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- sold lines that were not refunded, without the events that still wait in seller_events
  sales int NOT NULL DEFAULT 0,
  -- views of the last 30 days, as in product_sums
  views int NOT NULL DEFAULT 0
);
CREATE INDEX product_counts_sales ON product_counts (seller_id, sales DESC, product_id DESC);
CREATE INDEX product_counts_views ON product_counts (seller_id, views DESC, product_id DESC);

CREATE FUNCTION add_product_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_counts (product_id, seller_id) SELECT id, seller_id FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER products_add_counts AFTER INSERT ON products REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_product_counts();

CREATE FUNCTION move_product_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE product_counts SET seller_id = NEW.seller_id WHERE product_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER products_move_counts AFTER UPDATE OF seller_id ON products FOR EACH ROW
  WHEN (NEW.seller_id <> OLD.seller_id) EXECUTE FUNCTION move_product_counts();

-- Copies the views. The writer of a seller's sums holds the lock of product_sum_days.
CREATE FUNCTION copy_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE product_counts c SET views = a.views FROM added a
  WHERE a.days = 30 AND c.product_id = a.key::uuid AND c.views <> a.views;
  RETURN NULL;
END $$;
CREATE TRIGGER product_sums_views_new AFTER INSERT ON product_sums REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION copy_views();
CREATE TRIGGER product_sums_views AFTER UPDATE ON product_sums REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION copy_views();
