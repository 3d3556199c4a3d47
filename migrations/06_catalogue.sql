-- Categories, products with variants and bundles, their files and previews, and their search texts.

-- fuzzy search of titles
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE categories (
  id text PRIMARY KEY CHECK (id ~ '^[a-z][a-z-]{1,40}$'),
  name text NOT NULL UNIQUE,
  position int NOT NULL,
  -- the category may contain programs
  sells_programs boolean NOT NULL DEFAULT false,
  icon text NOT NULL DEFAULT 'tag' CHECK (icon ~ '^[a-z]{2,20}$'),
  -- its goods are as good as money: fraud rules are stricter, and a fresh bonus cannot buy them
  is_cash boolean NOT NULL DEFAULT false,
  -- a first purchase of its goods earns the bonus
  earns_bonus boolean NOT NULL DEFAULT true,
  -- the default kind of goods for a new product of the category; its seller may choose another kind
  delivery text NOT NULL DEFAULT 'file' CHECK (delivery IN ('file', 'code', 'license', 'course')),
  -- sorting the categories writes all positions in one transaction
  CONSTRAINT categories_position_key UNIQUE (position) DEFERRABLE INITIALLY DEFERRED
);
INSERT INTO categories (id, name, position, icon, is_cash, earns_bonus, delivery, sells_programs) VALUES
  ('gift-cards', 'Gift Cards', 1, 'gift', true, false, 'code', false),
  ('crypto', 'Crypto', 2, 'coins', true, false, 'file', false),
  ('prepaid', 'Prepaid Visa Cards', 3, 'card', true, false, 'file', false),
  ('ebooks', 'E-Books', 4, 'book', false, true, 'file', false),
  ('courses', 'Online Courses', 5, 'school', false, true, 'course', false),
  ('software', 'Software', 6, 'window', false, true, 'file', true),
  ('audio', 'Audio', 7, 'note', false, true, 'file', false);

CREATE TABLE products (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  category_id text NOT NULL REFERENCES categories ON DELETE RESTRICT,
  title text NOT NULL CHECK (length(btrim(title)) BETWEEN 1 AND 200),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 10000),
  price_cents bigint NOT NULL,
  -- the kind of goods; a product of codes sells one code per copy and is listed only while it has a free code
  delivery text NOT NULL DEFAULT 'file' CHECK (delivery IN ('file', 'code', 'license', 'course', 'bundle')),
  image_object_id uuid REFERENCES objects ON DELETE RESTRICT,
  -- the current version of the file
  file_id uuid,
  is_active boolean NOT NULL DEFAULT true,
  featured_rank int UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  search tsvector NOT NULL DEFAULT '',
  -- the shown average rating times ten million, plus the number of reviews; 0 without reviews
  rated bigint NOT NULL DEFAULT 0,
  -- of an unlisted product: a time means withdrawn, null means a draft that was never on sale
  withdrawn_at timestamptz,
  -- counts the seller's edits; an edit of an older version is refused
  version int NOT NULL DEFAULT 1,
  -- the reason of staff for a take-down, as the seller reads it; null if the product is not taken down
  taken_down text CHECK (length(taken_down) BETWEEN 1 AND 1100),
  -- the seller is suspended
  is_suspended boolean NOT NULL DEFAULT false,
  -- no stock is left; written only when that changes, not at each sale
  is_out_of_stock boolean NOT NULL DEFAULT false,
  -- if set, buyers choose the price, and price_cents is the minimum
  suggested_cents bigint,
  -- number of different buyers in the last days, counted by a nightly job
  recent_buyers int NOT NULL DEFAULT 0,
  -- the files on sale after `file_id`, in the seller's order
  more_file_ids uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(more_file_ids) <= 19),
  -- the product whose page sells this variant
  variant_of uuid REFERENCES products ON DELETE RESTRICT,
  variant_name text CHECK (length(btrim(variant_name)) BETWEEN 1 AND 60),
  variant_position int,
  -- of a variant: its product is off sale
  is_parent_off boolean NOT NULL DEFAULT false,
  -- only its variants are sold; price_cents is their lowest price
  has_variants boolean NOT NULL DEFAULT false,
  -- the highest price of its variants; null if all have the same price
  most_cents bigint,
  -- the product is in the lists of the shop
  is_listed boolean NOT NULL GENERATED ALWAYS AS (
    is_active AND taken_down IS NULL AND NOT is_suspended AND deleted_at IS NULL AND NOT is_out_of_stock
    AND (delivery <> 'file' OR file_id IS NOT NULL OR has_variants) AND variant_of IS NULL
  ) STORED,
  -- like is_listed, but also true when sold out
  is_shown boolean NOT NULL GENERATED ALWAYS AS (
    is_active AND taken_down IS NULL AND NOT is_suspended AND deleted_at IS NULL
    AND (delivery <> 'file' OR file_id IS NOT NULL OR has_variants) AND variant_of IS NULL
  ) STORED,
  -- shoppers can buy it; of a product with variants, they buy a variant
  is_on_sale boolean NOT NULL GENERATED ALWAYS AS (
    is_active AND taken_down IS NULL AND NOT is_suspended AND deleted_at IS NULL AND NOT is_out_of_stock
    AND (delivery <> 'file' OR file_id IS NOT NULL) AND NOT has_variants AND NOT is_parent_off
  ) STORED,
  -- the variant that receives the free codes of the product when the product gets variants
  codes_to uuid,
  -- buyers get PDFs with their email address on each page
  stamps_pdf boolean NOT NULL DEFAULT false,
  CONSTRAINT products_price CHECK (price_cents BETWEEN 0 AND 99999999),
  CONSTRAINT products_suggestion CHECK (suggested_cents BETWEEN greatest(price_cents, 1) AND 9999999),
  -- a payment reserves codes and keys, so their price cannot be zero
  CONSTRAINT products_free CHECK (price_cents > 0 OR delivery = 'file'),
  CONSTRAINT products_variant CHECK ((variant_of IS NULL) = (variant_name IS NULL)
    AND (variant_of IS NULL) = (variant_position IS NULL) AND (variant_of IS NULL OR (NOT has_variants AND suggested_cents IS NULL)))
);
CREATE INDEX products_price ON products (price_cents, id) WHERE is_listed;
CREATE INDEX products_title ON products (lower(title), id) WHERE is_listed;
CREATE INDEX products_seller ON products (seller_id, created_at DESC);
CREATE INDEX products_title_trgm ON products USING gin (title gin_trgm_ops);
-- for the change feed
CREATE INDEX products_updated ON products (updated_at DESC);
-- Featured products first, then the newest. The expression lets one row comparison page the list.
CREATE INDEX products_shelf ON products ((coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_shelf ON products (category_id, (coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_newest ON products (created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_newest ON products (category_id, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_search ON products USING gin (search) WITH (gin_pending_list_limit = 64);
CREATE INDEX products_rated ON products (rated DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_rated ON products (category_id, rated DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_price ON products (category_id, price_cents, id) WHERE is_listed;
-- finds out if a category has any product
CREATE INDEX products_category ON products (category_id);
CREATE INDEX products_popular ON products (recent_buyers DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_popular ON products (category_id, recent_buyers DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_variants ON products (variant_of, variant_position) WHERE variant_of IS NOT NULL;
CREATE UNIQUE INDEX products_image ON products (image_object_id) WHERE variant_of IS NULL;
CREATE INDEX products_file ON products (file_id);
CREATE INDEX products_shown_newest ON products (created_at DESC, id DESC) WHERE is_shown;
CREATE INDEX products_own_pages ON products (seller_id, created_at DESC, id DESC) WHERE deleted_at IS NULL AND variant_of IS NULL;
CREATE INDEX products_kind_newest ON products (delivery, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_own ON products (seller_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX products_own_price ON products (seller_id, price_cents DESC, id DESC) WHERE deleted_at IS NULL AND variant_of IS NULL;
CREATE INDEX products_own_title ON products (seller_id, lower(title), id) WHERE deleted_at IS NULL AND variant_of IS NULL;
CREATE INDEX products_title_search ON products USING gin (to_tsvector('english', search_text(title)))
  WITH (gin_pending_list_limit = 64) WHERE is_listed;
-- a job compares the sellers of these products with the suspended sellers every five minutes
CREATE INDEX products_suspended ON products (seller_id) WHERE is_suspended;
-- Webhooks report the product; its price follows the prices of its variants.
CREATE TRIGGER products_hooks AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NULL
    AND (OLD.title, OLD.description, OLD.price_cents, OLD.suggested_cents, OLD.category_id, OLD.image_object_id, OLD.file_id, OLD.is_listed)
    IS DISTINCT FROM (NEW.title, NEW.description, NEW.price_cents, NEW.suggested_cents, NEW.category_id, NEW.image_object_id, NEW.file_id, NEW.is_listed))
  EXECUTE FUNCTION tell_hooks_of_product();

-- Versions of a product's file. Buyers retain the version they bought, so a sold row is never deleted.
CREATE TABLE product_files (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  object_id uuid NOT NULL UNIQUE REFERENCES objects ON DELETE RESTRICT,
  file_name text NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
  content_type text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- the file is or contains a program
  is_program boolean NOT NULL DEFAULT false,
  -- when its bytes were checked against its name
  checked_at timestamptz,
  -- message to earlier buyers about this version
  note text CHECK (length(note) BETWEEN 1 AND 1000),
  -- number of the file within the product, shared by its versions: 1, 2 and so on, never used twice
  part int NOT NULL DEFAULT 1 CHECK (part > 0),
  -- chapters of a recording as typed by the seller: '1:05:30 On the roof' on each line
  chapters text CHECK (length(chapters) <= 5000),
  UNIQUE (product_id, id)
);
ALTER TABLE products ADD CONSTRAINT products_file FOREIGN KEY (file_id) REFERENCES product_files ON DELETE RESTRICT;

-- The contents of a bundle, in the seller's order. A part is a product or a variant, never a bundle.
CREATE TABLE bundle_parts (
  bundle_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  position int NOT NULL,
  PRIMARY KEY (bundle_id, product_id),
  CHECK (bundle_id <> product_id)
);
CREATE INDEX bundle_parts_product ON bundle_parts (product_id);

-- Images and samples that visitors can open before they buy.
CREATE TABLE product_previews (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  object_id uuid NOT NULL UNIQUE REFERENCES objects ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('image', 'audio', 'video', 'pdf')),
  content_type text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- description of an image, or the name of a sample
  alt text NOT NULL CHECK (length(alt) BETWEEN 1 AND 200),
  position int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX product_previews_product ON product_previews (product_id, position);

-- Every node caches answers of the catalogue. A change evicts them; one message per transaction is enough.
CREATE FUNCTION tell_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', '');
  RETURN NULL;
END $$;
CREATE TRIGGER products_tell AFTER INSERT OR UPDATE OR DELETE ON products FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
CREATE TRIGGER categories_tell AFTER INSERT OR UPDATE OR DELETE ON categories FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
CREATE TRIGGER bundle_parts_tell AFTER INSERT OR UPDATE OR DELETE ON bundle_parts FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
CREATE TRIGGER product_previews_tell AFTER INSERT OR UPDATE OR DELETE ON product_previews
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

CREATE FUNCTION touch_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER products_touch BEFORE UPDATE ON products FOR EACH ROW
  WHEN (OLD.recent_buyers IS NOT DISTINCT FROM NEW.recent_buyers) EXECUTE FUNCTION touch_product();

-- Listed products with a title word similar to `wanted`, best first. The threshold lets 'pyhton' match Python. Results
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

-- The wishlist. The row of a removed product remains for a while, so that Undo can restore its position.
CREATE TABLE saved_products (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  PRIMARY KEY (user_id, product_id)
);
CREATE INDEX saved_products_product ON saved_products (product_id);

-- The search text of a product. Weights: A the title, B category and file type, C price and seller, D the description
-- and the parts of words.
CREATE FUNCTION index_product() RETURNS trigger LANGUAGE plpgsql AS $$
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
  -- without a category, the foreign key refuses the row
  NEW.search := coalesce(NEW.search, '');
  INSERT INTO search_forms
    SELECT word FROM unnest(tsvector_to_array(written)) word
    WHERE length(word) BETWEEN 3 AND 40 ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
CREATE TRIGGER products_index
  BEFORE INSERT OR UPDATE OF title, description, category_id, seller_id, delivery, price_cents, file_id ON products
  FOR EACH ROW EXECUTE FUNCTION index_product();

CREATE FUNCTION index_products_of_category() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET category_id = category_id WHERE category_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER categories_index_products AFTER UPDATE OF name ON categories
  FOR EACH ROW EXECUTE FUNCTION index_products_of_category();

-- The number of listed products in each category.
CREATE TABLE listed_products (
  category_id text PRIMARY KEY REFERENCES categories ON DELETE CASCADE,
  count int NOT NULL CHECK (count >= 0)
);

-- Runs once per statement, in order of category, so that two statements with opposite moves cannot deadlock.
CREATE FUNCTION count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  FOR change IN EXECUTE 'SELECT category_id, sum(n)::int AS n FROM (' || concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT category_id, -1 AS n FROM old_rows WHERE is_listed' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT category_id, 1 AS n FROM new_rows WHERE is_listed' END)
    || ') changed GROUP BY 1 HAVING sum(n) <> 0 ORDER BY 1' LOOP
    INSERT INTO listed_products VALUES (change.category_id, greatest(change.n, 0))
      ON CONFLICT (category_id) DO UPDATE SET count = listed_products.count + change.n;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER products_count_new AFTER INSERT ON products
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();
CREATE TRIGGER products_count AFTER UPDATE ON products
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();
CREATE TRIGGER products_count_gone AFTER DELETE ON products
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();

-- Every word of `products.search`. A search replaces a prefix by the matching words, because the index finds whole
-- words several times as fast as prefixes. A word remains when its last product is deleted.
CREATE TABLE search_words (
  word text COLLATE "C" PRIMARY KEY
);

CREATE FUNCTION keep_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words SELECT word FROM unnest(tsvector_to_array(NEW.search)) word ORDER BY word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER products_keep_words_new AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION keep_search_words();
CREATE TRIGGER products_keep_words AFTER UPDATE ON products FOR EACH ROW
  WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION keep_search_words();

-- Returns the query of a search in both languages of the index, with prefixes replaced by words: 'harb':* -> 'harbour'.
-- A prefix with too many matching words, or without any, remains a prefix.
CREATE FUNCTION search_starts(asked text) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
  english text := to_tsquery('english', asked);
  plain text := to_tsquery('simple', asked);
  start text;
  words text;
BEGIN
  FOR start IN SELECT DISTINCT match[1] FROM regexp_matches(english || ' ' || plain, '''([^''\\]+)'':\*', 'g') match LOOP
    SELECT '(' || string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' | ') || ')' INTO words
      FROM (SELECT word FROM search_words WHERE word >= start AND word < start || U&'\+10FFFF' LIMIT 41) known
      HAVING count(*) <= 40;
    IF words IS NOT NULL THEN
      english := replace(english, '''' || start || ''':*', words);
      plain := replace(plain, '''' || start || ''':*', words);
    END IF;
  END LOOP;
  RETURN CASE WHEN english = plain THEN english::tsquery ELSE english::tsquery || plain::tsquery END;
END $$;

-- Returns a description without its Markdown marks, for lists and carts that show a line of it.
-- src/catalogue/markdown.rules.ts parses the marks.
CREATE FUNCTION unmarked(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN said !~ '[*#[]|^ {0,3}-|\n {0,3}-' THEN said ELSE
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(said,
      '\[([^][\n]+)\]\(https?://[^\s()<>]+\)', '\1', 'g'),
      '(^|\n)(?:#{1,4} +| {0,3}[-*] +)', '\1', 'g'),
      '\*\*([^*\n]+)\*\*', '\1', 'g'),
      '(^|[^\w*])\*([^*\s][^*\n]*)\*', '\1\2', 'g') END
$$;

-- Returns the price of one copy. If buyers choose the price, it is `chosen`, within the limits.
CREATE FUNCTION price_of(p products, chosen bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p.suggested_cents IS NULL THEN p.price_cents
    ELSE greatest(p.price_cents, least(coalesce(chosen, p.suggested_cents), 9999999)) END
$$;

-- A variant copies fields of its product, and its files unless it has own files. Its title contains both names.
CREATE FUNCTION follow_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT left(p.title, 197 - length(NEW.variant_name)) || ' – ' || NEW.variant_name, p.description, p.category_id, p.seller_id,
      p.image_object_id, p.delivery, p.taken_down, coalesce(NEW.deleted_at, p.deleted_at), NOT p.is_active
    INTO NEW.title, NEW.description, NEW.category_id, NEW.seller_id,
      NEW.image_object_id, NEW.delivery, NEW.taken_down, NEW.deleted_at, NEW.is_parent_off
    FROM products p WHERE p.id = NEW.variant_of;
  IF NOT EXISTS (SELECT FROM product_files WHERE product_id = NEW.id) THEN
    SELECT p.file_id, p.more_file_ids INTO NEW.file_id, NEW.more_file_ids FROM products p WHERE p.id = NEW.variant_of;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER products_follow BEFORE INSERT OR UPDATE ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NOT NULL) EXECUTE FUNCTION follow_product();

-- Updates the variants, which copy fields of their product.
CREATE FUNCTION lead_variants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET title = title, delivery = delivery WHERE variant_of = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER products_lead AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.has_variants
    AND (OLD.title, OLD.description, OLD.category_id, OLD.image_object_id, OLD.delivery, OLD.taken_down, OLD.is_active, OLD.deleted_at, OLD.file_id, OLD.more_file_ids)
    IS DISTINCT FROM (NEW.title, NEW.description, NEW.category_id, NEW.image_object_id, NEW.delivery, NEW.taken_down, NEW.is_active, NEW.deleted_at, NEW.file_id, NEW.more_file_ids))
  EXECUTE FUNCTION lead_variants();

-- Sets the prices of a product to those of its variants on sale, or of all variants if none is on sale.
CREATE FUNCTION settle_variants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent uuid := coalesce(NEW.variant_of, OLD.variant_of);
BEGIN
  -- a new statement, so that it sees rows that were committed while the lock waited
  PERFORM FROM products WHERE id = parent FOR NO KEY UPDATE;
  UPDATE products p SET has_variants = v.count > 0, suggested_cents = CASE WHEN v.count = 0 THEN p.suggested_cents END,
      price_cents = coalesce(v.least, p.price_cents), most_cents = nullif(v.most, v.least),
      is_out_of_stock = CASE WHEN v.count > 0 THEN NOT v.has_any
        ELSE p.delivery = 'code' AND NOT EXISTS (SELECT FROM codes c WHERE c.product_id = parent AND c.state = 'free') END
    FROM (SELECT count(*) AS count, bool_or(is_sold) AS has_any,
        coalesce(min(price_cents) FILTER (WHERE is_sold), min(price_cents)) AS least,
        coalesce(max(price_cents) FILTER (WHERE is_sold), max(price_cents)) AS most
      FROM (SELECT price_cents, is_active AND NOT is_out_of_stock AND (delivery <> 'file' OR file_id IS NOT NULL) AS is_sold
        FROM products WHERE variant_of = parent AND deleted_at IS NULL) own) v
    WHERE p.id = parent AND p.deleted_at IS NULL
      AND (p.has_variants, p.price_cents, p.most_cents, p.is_out_of_stock) IS DISTINCT FROM
        (v.count > 0, coalesce(v.least, p.price_cents), nullif(v.most, v.least), CASE WHEN v.count > 0 THEN NOT v.has_any ELSE p.is_out_of_stock END);
  RETURN NULL;
END $$;
CREATE TRIGGER products_settle_new AFTER INSERT ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NOT NULL) EXECUTE FUNCTION settle_variants();
CREATE TRIGGER products_settle AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NOT NULL AND (OLD.price_cents, OLD.is_active, OLD.is_out_of_stock, OLD.deleted_at, OLD.file_id, OLD.delivery)
    IS DISTINCT FROM (NEW.price_cents, NEW.is_active, NEW.is_out_of_stock, NEW.deleted_at, NEW.file_id, NEW.delivery))
  EXECUTE FUNCTION settle_variants();
CREATE TRIGGER products_settle_gone AFTER DELETE ON products FOR EACH ROW
  WHEN (OLD.variant_of IS NOT NULL) EXECUTE FUNCTION settle_variants();

-- Moves the free codes of a product to a variant.
CREATE FUNCTION adopt_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE codes SET product_id = NEW.codes_to WHERE product_id = NEW.id AND state = 'free';
  IF FOUND THEN UPDATE products SET is_out_of_stock = false WHERE id = NEW.codes_to; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER products_adopt AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.codes_to IS NOT NULL AND OLD.codes_to IS DISTINCT FROM NEW.codes_to) EXECUTE FUNCTION adopt_codes();

-- Moves codes that a refund or a failed payment releases later to the variant, too.
CREATE FUNCTION move_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.product_id := coalesce((SELECT p.codes_to FROM products p WHERE p.id = NEW.product_id AND p.has_variants), NEW.product_id);
  RETURN NEW;
END $$;

-- Puts a bundle on sale while all of its parts are on sale.
CREATE FUNCTION settle_bundles(part uuid, bundle uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bundles uuid[] := ARRAY (SELECT bundle_id FROM bundle_parts WHERE product_id = part UNION ALL SELECT bundle WHERE bundle IS NOT NULL);
BEGIN
  IF cardinality(bundles) = 0 THEN RETURN; END IF;
  PERFORM FROM products WHERE id = ANY (bundles) ORDER BY id FOR NO KEY UPDATE;
  UPDATE products b SET is_out_of_stock = n.is_out
    FROM (SELECT o.id, (SELECT count(*) < 2 OR NOT bool_and(p.is_on_sale) FROM bundle_parts k JOIN products p ON p.id = k.product_id
        WHERE k.bundle_id = o.id) AS is_out
      FROM products o WHERE o.delivery = 'bundle' AND o.id = ANY (bundles)) n
    WHERE b.id = n.id AND b.is_out_of_stock <> n.is_out;
END $$;

CREATE FUNCTION settle_bundles_of_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_bundles(NEW.id, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER products_settle_bundles AFTER UPDATE ON products FOR EACH ROW
  WHEN (OLD.is_on_sale <> NEW.is_on_sale AND NEW.delivery <> 'bundle') EXECUTE FUNCTION settle_bundles_of_part();

CREATE FUNCTION settle_bundle_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_bundles(NULL, coalesce(NEW.bundle_id, OLD.bundle_id));
  RETURN NULL;
END $$;
CREATE TRIGGER bundle_parts_settle AFTER INSERT OR DELETE ON bundle_parts FOR EACH ROW EXECUTE FUNCTION settle_bundle_of_row();

-- Every word of titles and descriptions in its original form. A search that finds nothing by words and prefixes looks
-- for words that contain the typed part. A form remains when its last product is deleted.
CREATE TABLE search_forms (
  form text COLLATE "C" PRIMARY KEY CHECK (length(form) BETWEEN 3 AND 40)
);
CREATE INDEX search_forms_part ON search_forms USING gin (form gin_trgm_ops);

-- Returns a query of words that contain each part; null if no word contains a part. A shorter part is a prefix.
CREATE FUNCTION search_inside(parts text[]) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
  part text;
  forms text;
  one tsquery;
  whole tsquery;
BEGIN
  FOREACH part IN ARRAY parts LOOP
    IF length(part) < 3 THEN
      one := to_tsquery('simple', part || ':*');
    ELSE
      SELECT string_agg('''' || form || '''', ' | ') INTO forms
        FROM (SELECT form FROM search_forms WHERE form LIKE '%' || part || '%' ORDER BY length(form), form LIMIT 40) found
        WHERE form !~ '[''\\]';
      IF forms IS NULL THEN RETURN NULL; END IF;
      one := to_tsquery('english', forms) || to_tsquery('simple', forms);
    END IF;
    whole := CASE WHEN whole IS NULL THEN one ELSE whole && one END;
  END LOOP;
  RETURN whole;
END $$;
