-- The schema of a shop before its migrations were merged into one file per room: the former files without their comments,
-- and their names. src/kit/migrate.server.test.ts upgrades a database made of it.

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) <= 254),
  email_verified boolean NOT NULL DEFAULT false,
  name text NOT NULL DEFAULT '',
  first_name text CHECK (length(first_name) <= 80),
  last_name text CHECK (length(last_name) <= 80),
  image text,
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX accounts_user ON accounts (user_id);
CREATE TABLE verifications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);
CREATE FUNCTION tell_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', OLD.token);
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_tell AFTER UPDATE OR DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION tell_session();
CREATE FUNCTION tell_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', token) FROM sessions WHERE user_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_tell AFTER UPDATE ON users FOR EACH ROW EXECUTE FUNCTION tell_user();
CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key text NOT NULL UNIQUE,
  recipient text NOT NULL,
  subject text NOT NULL,
  body_text text NOT NULL,
  body_html text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  error text
);
CREATE INDEX mails_created ON mails (created_at DESC);

CREATE TABLE objects (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  status text NOT NULL DEFAULT 'issued' CHECK (status IN ('issued', 'stored', 'bound')),
  size_bytes bigint CHECK (size_bytes > 0),
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  file_name text CHECK (length(file_name) BETWEEN 1 AND 255),
  content_type text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  stored_at timestamptz,
  CHECK (status = 'issued' OR (size_bytes IS NOT NULL AND sha256 IS NOT NULL AND stored_at IS NOT NULL))
);
CREATE INDEX objects_user ON objects (user_id, created_at DESC);
CREATE INDEX objects_unbound ON objects (created_at) WHERE status <> 'bound';

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
ALTER TABLE products ADD is_listed boolean NOT NULL
  GENERATED ALWAYS AS (is_active AND deleted_at IS NULL AND (delivery = 'code' OR file_id IS NOT NULL)) STORED;
CREATE INDEX products_listed ON products (created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category ON products (category_id, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_price ON products (price_cents, id) WHERE is_listed;
CREATE INDEX products_title ON products (lower(title), id) WHERE is_listed;
CREATE INDEX products_seller ON products (seller_id, created_at DESC);
CREATE INDEX products_search ON products USING gin (search);
CREATE INDEX products_title_trgm ON products USING gin (title gin_trgm_ops);
CREATE FUNCTION tell_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', '');
  RETURN NULL;
END $$;
CREATE TRIGGER products_tell AFTER INSERT OR UPDATE OR DELETE ON products FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
CREATE TRIGGER categories_tell AFTER INSERT OR UPDATE OR DELETE ON categories FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

CREATE TABLE cart_items (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, product_id)
);

CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  checkout_key text NOT NULL CHECK (length(checkout_key) BETWEEN 1 AND 255),
  request_hash text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed', 'refunded')),
  source text NOT NULL CHECK (source IN ('cart', 'product')),
  total_cents bigint NOT NULL CHECK (total_cents BETWEEN 1 AND 99999999999999),
  currency text NOT NULL DEFAULT 'USD' CHECK (currency = 'USD'),
  payment_method text CHECK (length(payment_method) <= 40),
  payment_id text CHECK (length(payment_id) <= 255),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  completed_at timestamptz,
  UNIQUE (user_id, checkout_key),
  CHECK ((status IN ('completed', 'refunded')) = (completed_at IS NOT NULL))
);
CREATE INDEX orders_user ON orders (user_id, created_at DESC, id DESC);
CREATE INDEX orders_pending ON orders (expires_at) WHERE status = 'pending';
CREATE TABLE order_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  position int NOT NULL,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  title text NOT NULL,
  price_cents bigint NOT NULL CHECK (price_cents > 0),
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  delivery text NOT NULL CHECK (delivery IN ('file', 'code')),
  file_id uuid REFERENCES product_files ON DELETE RESTRICT,
  UNIQUE (order_id, product_id),
  UNIQUE (order_id, position),
  CHECK (delivery = 'code' OR file_id IS NOT NULL)
);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE INDEX order_lines_file ON order_lines (file_id);
CREATE TABLE order_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  from_status text,
  to_status text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((from_status, to_status) IN (('pending', 'completed'), ('pending', 'failed'), ('completed', 'refunded'), ('failed', 'completed'))
    OR (from_status IS NULL AND to_status = 'pending'))
);
CREATE INDEX order_events_order ON order_events (order_id, id);
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON order_events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE wallets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  provider text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  vault_id text NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  UNIQUE (provider, vault_id)
);
CREATE INDEX wallets_user ON wallets (user_id) WHERE removed_at IS NULL;
CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  provider text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  status text NOT NULL DEFAULT 'creating' CHECK (status IN
    ('creating', 'created', 'capturing', 'captured', 'declined', 'canceled', 'expired', 'failed', 'mismatched', 'refunded', 'part_refunded')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL DEFAULT 'USD' CHECK (currency = 'USD'),
  provider_order_id text,
  provider_capture_id text,
  wallet_id uuid REFERENCES wallets ON DELETE RESTRICT,
  lease_until timestamptz,
  declines int NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, provider_order_id),
  UNIQUE (provider, provider_capture_id),
  CHECK (status NOT IN ('captured', 'refunded', 'part_refunded') OR provider_capture_id IS NOT NULL)
);
CREATE INDEX payments_order ON payments (order_id);
CREATE UNIQUE INDEX payments_one_capture ON payments (order_id) WHERE status IN ('capturing', 'captured', 'refunded', 'part_refunded');
CREATE INDEX payments_open ON payments (updated_at) WHERE status IN ('creating', 'created', 'capturing', 'declined');
CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'completed', 'failed')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  provider_refund_id text UNIQUE,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_open ON refunds (created_at) WHERE status = 'requested';
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transfer_id uuid NOT NULL,
  account text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ledger_transfer ON ledger_entries (transfer_id);
CREATE INDEX ledger_account ON ledger_entries (account);
CREATE INDEX ledger_payment ON ledger_entries (payment_id);
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE FUNCTION check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_cents) FROM ledger_entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'transfer % does not add up to zero', NEW.transfer_id;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_balances AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transfer();
CREATE TABLE webhook_events (
  provider text NOT NULL,
  event_id text NOT NULL CHECK (length(event_id) <= 200),
  event_type text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  times_received int NOT NULL DEFAULT 1,
  processed_at timestamptz,
  error text,
  PRIMARY KEY (provider, event_id)
);

CREATE TABLE entitlements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_line_id uuid NOT NULL UNIQUE REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  file_id uuid REFERENCES product_files ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX entitlements_user ON entitlements (user_id, created_at DESC);
CREATE TABLE codes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  ciphertext bytea NOT NULL,
  fingerprint text NOT NULL,
  state text NOT NULL DEFAULT 'free' CHECK (state IN ('free', 'held', 'sold', 'void')),
  payment_id uuid REFERENCES payments ON DELETE RESTRICT,
  order_line_id uuid REFERENCES order_lines ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (product_id, fingerprint),
  CHECK (state NOT IN ('held', 'sold') OR (payment_id IS NOT NULL AND order_line_id IS NOT NULL)),
  CHECK (state <> 'free' OR (payment_id IS NULL AND order_line_id IS NULL))
);
CREATE INDEX codes_free ON codes (product_id, id) WHERE state = 'free';
CREATE INDEX codes_line ON codes (order_line_id) WHERE order_line_id IS NOT NULL;
CREATE INDEX codes_payment ON codes (payment_id) WHERE state = 'held';
CREATE TABLE download_grants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  entitlement_id uuid NOT NULL REFERENCES entitlements ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  start_by timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  started_at timestamptz
);
CREATE INDEX download_grants_entitlement ON download_grants (entitlement_id, created_at DESC);
CREATE TABLE delivery_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entitlement_id uuid NOT NULL REFERENCES entitlements ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('download', 'reveal')),
  ip_address text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX delivery_events_entitlement ON delivery_events (entitlement_id, created_at DESC);
CREATE TRIGGER delivery_events_append_only BEFORE UPDATE OR DELETE ON delivery_events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE SCHEMA sandbox;
CREATE TABLE sandbox.records (
  kind text NOT NULL CHECK (kind IN ('order', 'capture', 'refund', 'setup_token', 'payment_token')),
  id text NOT NULL,
  order_id text,
  body json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, id),
  CHECK ((kind IN ('order', 'capture', 'refund')) = (order_id IS NOT NULL))
);
CREATE INDEX sandbox_records_order ON sandbox.records (order_id);
CREATE INDEX sandbox_records_created ON sandbox.records (kind, created_at);
CREATE UNIQUE INDEX sandbox_one_capture ON sandbox.records (order_id)
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';
CREATE UNIQUE INDEX sandbox_one_invoice ON sandbox.records ((body->>'invoiceId'))
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';
CREATE TABLE sandbox.events (
  id text PRIMARY KEY,
  event_type text NOT NULL,
  resource_id text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deliveries_left int NOT NULL DEFAULT 1 CHECK (deliveries_left >= 0),
  attempts int NOT NULL DEFAULT 0,
  last_answer text
);
CREATE INDEX sandbox_events_due ON sandbox.events (due_at) WHERE deliveries_left > 0;
CREATE INDEX sandbox_events_created ON sandbox.events (created_at, id);
CREATE TABLE sandbox.replays (
  request_id text NOT NULL,
  path text NOT NULL,
  status int,
  body text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (request_id, path)
);
CREATE TABLE sandbox.keys (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE job_workers (
  worker_id text PRIMARY KEY,
  node_lock bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX products_shelf ON products ((coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_shelf ON products (category_id, (coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
DROP INDEX products_category;
DROP INDEX products_listed;
SELECT similarity('', '');
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

CREATE TABLE chat_conversations (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  last_at timestamptz NOT NULL,
  waiting_since timestamptz,
  read_at timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX chat_conversations_last ON chat_conversations (last_at DESC);
CREATE TABLE chat_messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  author text NOT NULL CHECK (author IN ('user', 'admin', 'assistant')),
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  message text NOT NULL CHECK (length(btrim(message)) BETWEEN 1 AND 2000),
  articles jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(articles) = 'array'),
  send_key text NOT NULL DEFAULT gen_random_uuid()::text CHECK (length(send_key) BETWEEN 1 AND 255),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (user_id, author, send_key)
);
CREATE INDEX chat_messages_conversation ON chat_messages (user_id, created_at DESC, id DESC);
CREATE INDEX chat_messages_staff ON chat_messages (created_at DESC) WHERE author = 'admin';
CREATE TABLE chat_presence (
  staff_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  seen_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE reviews (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  order_line_id uuid UNIQUE REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid REFERENCES users ON DELETE RESTRICT,
  sample_author text CHECK (length(sample_author) BETWEEN 1 AND 80),
  stars int NOT NULL CHECK (stars BETWEEN 1 AND 5),
  body text NOT NULL DEFAULT '' CHECK (length(body) <= 2000),
  created_at timestamptz NOT NULL DEFAULT now(),
  edited_at timestamptz,
  hidden_at timestamptz,
  CHECK ((order_line_id IS NULL) = (sample_author IS NOT NULL)),
  CHECK ((user_id IS NULL) = (sample_author IS NOT NULL))
);
CREATE INDEX reviews_product ON reviews (product_id, created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX reviews_samples ON reviews (id) WHERE sample_author IS NOT NULL;
CREATE TABLE ratings (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE RESTRICT,
  stars_1 int NOT NULL DEFAULT 0 CHECK (stars_1 >= 0),
  stars_2 int NOT NULL DEFAULT 0 CHECK (stars_2 >= 0),
  stars_3 int NOT NULL DEFAULT 0 CHECK (stars_3 >= 0),
  stars_4 int NOT NULL DEFAULT 0 CHECK (stars_4 >= 0),
  stars_5 int NOT NULL DEFAULT 0 CHECK (stars_5 >= 0)
);
CREATE TABLE store_rating (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  stars_1 int NOT NULL DEFAULT 0 CHECK (stars_1 >= 0),
  stars_2 int NOT NULL DEFAULT 0 CHECK (stars_2 >= 0),
  stars_3 int NOT NULL DEFAULT 0 CHECK (stars_3 >= 0),
  stars_4 int NOT NULL DEFAULT 0 CHECK (stars_4 >= 0),
  stars_5 int NOT NULL DEFAULT 0 CHECK (stars_5 >= 0),
  samples int NOT NULL DEFAULT 0 CHECK (samples >= 0)
);
INSERT INTO store_rating DEFAULT VALUES;
CREATE FUNCTION tally_review() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  review reviews := coalesce(NEW, OLD);
  was int := 0;
  is_now int := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.hidden_at IS NULL THEN was := OLD.stars; END IF;
  IF TG_OP <> 'DELETE' AND NEW.hidden_at IS NULL THEN is_now := NEW.stars; END IF;
  IF was = is_now THEN RETURN NULL; END IF;
  INSERT INTO ratings (product_id) VALUES (review.product_id) ON CONFLICT DO NOTHING;
  UPDATE ratings SET
    stars_1 = stars_1 + (is_now = 1)::int - (was = 1)::int,
    stars_2 = stars_2 + (is_now = 2)::int - (was = 2)::int,
    stars_3 = stars_3 + (is_now = 3)::int - (was = 3)::int,
    stars_4 = stars_4 + (is_now = 4)::int - (was = 4)::int,
    stars_5 = stars_5 + (is_now = 5)::int - (was = 5)::int
  WHERE product_id = review.product_id;
  UPDATE store_rating SET
    stars_1 = stars_1 + (is_now = 1)::int - (was = 1)::int,
    stars_2 = stars_2 + (is_now = 2)::int - (was = 2)::int,
    stars_3 = stars_3 + (is_now = 3)::int - (was = 3)::int,
    stars_4 = stars_4 + (is_now = 4)::int - (was = 4)::int,
    stars_5 = stars_5 + (is_now = 5)::int - (was = 5)::int,
    samples = samples + CASE WHEN review.sample_author IS NULL THEN 0 ELSE (is_now > 0)::int - (was > 0)::int END;
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_tally AFTER INSERT OR UPDATE OR DELETE ON reviews FOR EACH ROW EXECUTE FUNCTION tally_review();
CREATE FUNCTION tell_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('reviews', '');
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_tell AFTER INSERT OR UPDATE OR DELETE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION tell_reviews();

CREATE TABLE saved_products (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  PRIMARY KEY (user_id, product_id)
);
CREATE INDEX saved_products_product ON saved_products (product_id);

CREATE TABLE preferences (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  theme text NOT NULL CHECK (theme IN ('royal-blue', 'silver', 'purple')),
  mode text NOT NULL CHECK (mode IN ('light', 'dark')),
  text_size int NOT NULL CHECK (text_size BETWEEN 100 AND 200),
  can_zoom boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE users ADD COLUMN wants_news boolean NOT NULL DEFAULT false;
ALTER TABLE users ADD COLUMN picture_object_id uuid UNIQUE REFERENCES objects ON DELETE RESTRICT;
CREATE INDEX webhook_events_received ON webhook_events (received_at DESC);

CREATE TABLE push_subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  endpoint text NOT NULL UNIQUE CHECK (length(endpoint) <= 1000),
  p256dh text NOT NULL CHECK (length(p256dh) <= 100),
  auth text NOT NULL CHECK (length(auth) <= 40),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);

CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  sealed_secret text NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  code_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, code_hash)
);
CREATE TABLE trusted_browsers (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX trusted_browsers_user ON trusted_browsers (user_id);

CREATE INDEX orders_sums ON orders (user_id, status) INCLUDE (total_cents);

CREATE TABLE exchange_rates (
  base text PRIMARY KEY CHECK (base = 'USD'),
  rates jsonb NOT NULL CHECK (jsonb_typeof(rates) = 'object'),
  fetched_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX products_updated ON products (updated_at DESC);
CREATE FUNCTION touch_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER products_touch BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION touch_product();

CREATE INDEX products_newest ON products (created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_newest ON products (category_id, created_at DESC, id DESC) WHERE is_listed;

ALTER TABLE orders ADD COLUMN credit_cents bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT orders_credit CHECK (credit_cents BETWEEN 0 AND total_cents);
ALTER TABLE ledger_entries ALTER COLUMN payment_id DROP NOT NULL,
  ADD CONSTRAINT ledger_names_payment CHECK (payment_id IS NOT NULL OR account LIKE 'credit:%' OR account LIKE 'promotion:%');
CREATE TABLE credit_accounts (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  balance_cents bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES credit_accounts ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('earned', 'spent', 'returned', 'refunded', 'taken_back', 'given')),
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0 AND (amount_cents < 0) = (kind IN ('spent', 'taken_back'))),
  order_id uuid REFERENCES orders ON DELETE RESTRICT,
  why text CHECK (length(why) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'given') = (order_id IS NULL)),
  CHECK ((kind = 'given') = (why IS NOT NULL))
);
CREATE INDEX credit_entries_user ON credit_entries (user_id, id DESC);
CREATE INDEX credit_entries_order ON credit_entries (order_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE ON credit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TABLE credit_bonuses (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  order_id uuid NOT NULL UNIQUE REFERENCES orders ON DELETE RESTRICT,
  payer text UNIQUE,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  taken_back_cents bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (taken_back_cents BETWEEN 0 AND amount_cents),
  CHECK (payer IS NULL OR amount_cents > 0)
);

CREATE TABLE risk_hints (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  event_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('payment_fraud', 'multiple_attempts', 'suspicious_activity', 'bot_detected', 'unusual_location')),
  severity text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  description text NOT NULL CHECK (length(description) <= 300),
  route text NOT NULL CHECK (length(route) <= 200),
  user_agent text NOT NULL CHECK (length(user_agent) <= 300),
  timezone text NOT NULL CHECK (length(timezone) <= 60),
  screen text NOT NULL CHECK (length(screen) <= 30),
  received_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, event_id)
);
CREATE INDEX risk_hints_user ON risk_hints (user_id, received_at DESC);
CREATE INDEX risk_hints_age ON risk_hints (received_at);
CREATE TABLE releases (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 80),
  started_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE error_groups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  fingerprint text NOT NULL UNIQUE CHECK (length(fingerprint) = 64),
  type text NOT NULL CHECK (type IN ('javascript', 'network', 'performance')),
  severity text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  message text NOT NULL CHECK (length(message) <= 500),
  place text NOT NULL DEFAULT '' CHECK (length(place) <= 300),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'muted', 'fixed')),
  fixed_in text CHECK ((fixed_in IS NOT NULL) = (status = 'fixed')),
  is_reopened boolean NOT NULL DEFAULT false,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  first_release text NOT NULL CHECK (length(first_release) <= 80),
  last_release text NOT NULL CHECK (length(last_release) <= 80),
  times integer NOT NULL DEFAULT 0 CHECK (times >= 0),
  people integer NOT NULL DEFAULT 0 CHECK (people >= 0)
);
CREATE INDEX error_groups_list ON error_groups (status, last_seen_at DESC);
CREATE TABLE error_occurrences (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  seen_at timestamptz NOT NULL DEFAULT now(),
  release text NOT NULL CHECK (length(release) <= 80),
  route text NOT NULL CHECK (length(route) <= 200),
  message text NOT NULL CHECK (length(message) <= 500),
  stack text NOT NULL CHECK (length(stack) <= 6000),
  component_stack text NOT NULL CHECK (length(component_stack) <= 3000),
  user_agent text NOT NULL CHECK (length(user_agent) <= 300),
  auto_fixed boolean NOT NULL
);
CREATE INDEX error_occurrences_group ON error_occurrences (group_id, seen_at DESC);
CREATE INDEX error_occurrences_age ON error_occurrences (seen_at);
CREATE TABLE error_days (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  day timestamptz NOT NULL,
  times integer NOT NULL CHECK (times > 0),
  PRIMARY KEY (group_id, day)
);
CREATE TABLE error_people (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  person text NOT NULL CHECK (length(person) = 32),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, person)
);
CREATE INDEX error_people_age ON error_people (last_seen_at);

ALTER TABLE sessions RENAME COLUMN token TO token_hash;
ALTER TABLE sessions RENAME CONSTRAINT sessions_token_key TO sessions_token_hash_key;
ALTER TABLE sessions
  ADD COLUMN verified_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$');
CREATE OR REPLACE FUNCTION tell_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', OLD.token_hash);
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION tell_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', token_hash) FROM sessions WHERE user_id = OLD.id;
  RETURN NULL;
END $$;
UPDATE sessions SET verified_at = created_at,
  token_hash = translate(rtrim(encode(sha256(convert_to(token_hash, 'UTF8')), 'base64'), '='), '+/', '-_');
ALTER TABLE sessions ADD CONSTRAINT sessions_token_is_hash CHECK (length(token_hash) = 43);
CREATE FUNCTION end_sessions_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_role AFTER UPDATE OF role ON users FOR EACH ROW
  WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION end_sessions_of_role();

CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1400),
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text NOT NULL DEFAULT '',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor_id uuid,
  act text NOT NULL CHECK (act ~ '^[a-z]+\.[a-z_]+$' AND length(act) <= 60),
  subject_id text CHECK (length(subject_id) <= 200),
  details jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(details) = 'object'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_act ON audit (split_part(act, '.', 1), id DESC);
CREATE INDEX audit_actor ON audit (actor_id, id DESC);
CREATE INDEX audit_subject ON audit (subject_id, id DESC);
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE UNLOGGED TABLE shared_limits (
  key text PRIMARY KEY,
  account text,
  full_at timestamptz NOT NULL
);
CREATE INDEX shared_limits_account ON shared_limits (account) WHERE account IS NOT NULL;
CREATE INDEX shared_limits_full ON shared_limits (full_at);

ALTER TABLE mails ADD COLUMN refused_at timestamptz, ADD COLUMN unsubscribe_url text;
CREATE INDEX mails_recipient ON mails (recipient, created_at DESC);
ALTER TABLE users ADD COLUMN erase_at timestamptz, ADD COLUMN erased_at timestamptz;
CREATE INDEX users_erase ON users (erase_at) WHERE erase_at IS NOT NULL;
CREATE FUNCTION keep_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET erase_at = NULL WHERE id = NEW.user_id AND erase_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_keep_account AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION keep_account();
CREATE FUNCTION erase_belongings(owner uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE belonging record;
BEGIN
  FOR belonging IN
    SELECT c.conrelid::regclass AS place, a.attname AS name
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass AND c.confdeltype = 'c'
  LOOP
    EXECUTE format('DELETE FROM %s WHERE %I = $1', belonging.place, belonging.name) USING owner;
  END LOOP;
END $$;
CREATE FUNCTION refuse_change_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.ip_address IS NULL AND to_jsonb(NEW) - 'ip_address' = to_jsonb(OLD) - 'ip_address' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
DROP TRIGGER delivery_events_append_only ON delivery_events;
CREATE TRIGGER delivery_events_append_only BEFORE UPDATE OR DELETE ON delivery_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting();

CREATE TABLE risk_decisions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  stage text NOT NULL CHECK (stage IN ('start', 'paid')),
  decision text NOT NULL CHECK (decision IN ('allow', 'step_up', 'hold', 'refuse')),
  score int NOT NULL CHECK (score BETWEEN 0 AND 100),
  reasons jsonb NOT NULL,
  facts jsonb NOT NULL,
  weights_version int NOT NULL,
  network text,
  instrument text,
  country text CHECK (country ~ '^[A-Z]{2}$'),
  rush_product_id uuid REFERENCES products ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_decisions_order ON risk_decisions (order_id, created_at DESC);
CREATE INDEX risk_decisions_newest ON risk_decisions (created_at DESC);
CREATE INDEX risk_decisions_network ON risk_decisions (network, created_at DESC) WHERE network IS NOT NULL;
CREATE INDEX risk_decisions_instrument ON risk_decisions (instrument, created_at DESC) WHERE instrument IS NOT NULL;
CREATE INDEX risk_decisions_rush ON risk_decisions (rush_product_id, created_at DESC) WHERE rush_product_id IS NOT NULL;
CREATE TRIGGER risk_decisions_append_only BEFORE UPDATE OR DELETE ON risk_decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TABLE risk_holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('step_up', 'hold')),
  decision_id uuid NOT NULL REFERENCES risk_decisions ON DELETE RESTRICT,
  payment_id uuid REFERENCES payments ON DELETE RESTRICT,
  is_cleared_by_confirming boolean NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'released', 'refused')),
  resolved_how text CHECK (resolved_how IN ('confirmed', 'approved', 'refused', 'expired')),
  resolved_by uuid REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  resolved_at timestamptz,
  UNIQUE (order_id, kind),
  CHECK (ends_at > created_at),
  CHECK ((kind = 'hold') = (payment_id IS NOT NULL)),
  CHECK ((state = 'open') = (resolved_at IS NULL) AND (state = 'open') = (resolved_how IS NULL))
);
CREATE INDEX risk_holds_open ON risk_holds (ends_at) WHERE state = 'open';
CREATE INDEX risk_holds_user ON risk_holds (user_id, resolved_at) WHERE resolved_how = 'confirmed';
CREATE TABLE risk_declines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  instrument text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_declines_user ON risk_declines (user_id, created_at DESC);
CREATE TABLE risk_blocks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('account', 'network')),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 100),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  made_by uuid REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  lifted_at timestamptz,
  lifted_by uuid REFERENCES users ON DELETE RESTRICT,
  CHECK (expires_at > created_at AND expires_at <= created_at + interval '90 days')
);
CREATE INDEX risk_blocks_subject ON risk_blocks (kind, subject, expires_at) WHERE lifted_at IS NULL;
CREATE TABLE risk_weights (
  version int PRIMARY KEY CHECK (version > 0),
  weights jsonb NOT NULL,
  made_by uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER risk_weights_append_only BEFORE UPDATE OR DELETE ON risk_weights FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE backups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  made_at timestamptz NOT NULL DEFAULT now(),
  size_bytes bigint NOT NULL CHECK (size_bytes > 0)
);
CREATE INDEX backups_made ON backups (made_at DESC);

CREATE FUNCTION tell_member_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' orders');
  RETURN NULL;
END $$;
CREATE TRIGGER orders_tell_new AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION tell_member_of_order();
CREATE TRIGGER orders_tell AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_member_of_order();
CREATE FUNCTION tell_member_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' chat');
  PERFORM pg_notify('members', '* inbox');
  RETURN NULL;
END $$;
CREATE TRIGGER chat_messages_tell AFTER INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION tell_member_of_chat();

CREATE TABLE former_addresses (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL,
  PRIMARY KEY (user_id, email)
);
UPDATE webhook_events SET body = '' WHERE processed_at IS NOT NULL;
UPDATE credit_bonuses SET payer = encode(sha256(convert_to(payer, 'UTF8')), 'hex') WHERE payer IS NOT NULL;
UPDATE wallets SET vault_id = 'erased-' || id WHERE user_id IN (SELECT id FROM users WHERE erased_at IS NOT NULL);

CREATE INDEX risk_blocks_lifted ON risk_blocks (kind, subject) WHERE lifted_at IS NOT NULL;

ALTER TABLE refunds
  ADD COLUMN asked_by uuid REFERENCES users ON DELETE RESTRICT,
  ADD COLUMN ask_key text CHECK (length(ask_key) BETWEEN 1 AND 255),
  ADD COLUMN ask_hash text,
  ADD COLUMN refusal text CHECK (length(refusal) BETWEEN 1 AND 200),
  ADD CONSTRAINT refunds_asked_once UNIQUE (asked_by, ask_key),
  ADD CONSTRAINT refunds_key_is_somebodys CHECK ((ask_key IS NULL) = (ask_hash IS NULL) AND (ask_key IS NULL OR asked_by IS NOT NULL)),
  ADD CONSTRAINT refunds_refusal_ends CHECK (refusal IS NULL OR status = 'failed');

CREATE TABLE error_explanations (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  release text NOT NULL CHECK (length(release) BETWEEN 1 AND 80),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  model text NOT NULL CHECK (length(model) BETWEEN 1 AND 100),
  asked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, release)
);

ALTER TABLE wallets ADD COLUMN revoked_at timestamptz, ADD COLUMN revocation_asked_at timestamptz;
ALTER TABLE payments ADD COLUMN declined_captures text[] NOT NULL DEFAULT '{}';
ALTER TABLE users ADD COLUMN kept_at timestamptz;
CREATE OR REPLACE FUNCTION keep_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET erase_at = NULL, kept_at = now() WHERE id = NEW.user_id AND erase_at IS NOT NULL;
  IF FOUND THEN
    PERFORM graphile_worker.add_job('account_kept', json_build_object('id', NEW.user_id),
      job_key => 'account_kept:' || NEW.user_id);
  END IF;
  RETURN NULL;
END $$;

ALTER TABLE users ADD COLUMN mail_refused_at timestamptz, ADD COLUMN mail_refusal text CHECK (length(mail_refusal) <= 300);

ALTER TABLE exchange_rates ADD read_at jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(read_at) = 'object');

CREATE INDEX IF NOT EXISTS orders_newest ON orders (created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS orders_status ON orders (status, created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS orders_short ON orders (right(id::text, 8));
CREATE INDEX IF NOT EXISTS order_lines_title ON order_lines USING gin (to_tsvector('english', title));
CREATE INDEX IF NOT EXISTS users_email_prefix ON users (email text_pattern_ops);
CREATE INDEX IF NOT EXISTS orders_paid_sums ON orders (user_id, status) INCLUDE (total_cents, credit_cents);
CREATE INDEX IF NOT EXISTS payments_part_refunded ON payments (order_id) WHERE status = 'part_refunded';
UPDATE wallets SET revoked_at = removed_at WHERE removed_at IS NOT NULL AND revoked_at IS NULL AND vault_id LIKE 'erased-%';
CREATE INDEX IF NOT EXISTS wallets_to_revoke ON wallets (removed_at) WHERE removed_at IS NOT NULL AND revoked_at IS NULL;

DROP INDEX orders_sums;

DROP TABLE push_subscriptions;
CREATE TABLE push_subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  endpoint text NOT NULL UNIQUE CHECK (length(endpoint) <= 1000),
  p256dh text NOT NULL CHECK (length(p256dh) <= 100),
  auth text NOT NULL CHECK (length(auth) <= 40),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

ALTER TABLE refunds ADD COLUMN taken_up_at timestamptz;
ALTER TABLE webhook_events ADD COLUMN taken_up_at timestamptz;

CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
INSERT INTO migrations (name) VALUES
  ('001_identity.sql'),
  ('002_uploads.sql'),
  ('003_catalogue.sql'),
  ('004_cart.sql'),
  ('005_orders.sql'),
  ('006_payments.sql'),
  ('007_delivery.sql'),
  ('008_sandbox.sql'),
  ('009_jobs.sql'),
  ('010_shelf.sql'),
  ('011_chat.sql'),
  ('012_reviews.sql'),
  ('013_wishlist.sql'),
  ('014_preferences.sql'),
  ('015_push.sql'),
  ('016_second_factor.sql'),
  ('017_finding.sql'),
  ('018_rates.sql'),
  ('019_realtime.sql'),
  ('020_mend.sql'),
  ('022_credit.sql'),
  ('023_watch.sql'),
  ('024_sessions.sql'),
  ('025_passkeys.sql'),
  ('026_audit.sql'),
  ('027_accounts.sql'),
  ('028_risk.sql'),
  ('030_backups.sql'),
  ('031_news.sql'),
  ('033_former_addresses.sql'),
  ('034_lifted_blocks.sql'),
  ('035_refund_desk.sql'),
  ('036_explanations.sql'),
  ('037_edges.sql'),
  ('038_bounces.sql'),
  ('039_rate_ages.sql'),
  ('040_indexes.sql'),
  ('041_former_sums.sql'),
  ('046_push_sessions.sql'),
  ('047_taken_up.sql');
