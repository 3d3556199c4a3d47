-- Variants: a variant is a product that is sold on the page of another one. Bundles: products of one seller for one price.

ALTER TABLE products
  -- the product on whose page this one is sold
  ADD COLUMN variant_of uuid REFERENCES products ON DELETE RESTRICT,
  ADD COLUMN variant_name text CHECK (length(btrim(variant_name)) BETWEEN 1 AND 60),
  ADD COLUMN variant_position int,
  -- a variant whose product is off sale
  ADD COLUMN is_parent_off boolean NOT NULL DEFAULT false,
  -- it is sold by its variants only; price_cents is the least of theirs
  ADD COLUMN has_variants boolean NOT NULL DEFAULT false,
  -- the price of the dearest variant; null while all cost the same
  ADD COLUMN most_cents bigint,
  ADD CONSTRAINT products_variant CHECK ((variant_of IS NULL) = (variant_name IS NULL)
    AND (variant_of IS NULL) = (variant_position IS NULL) AND (variant_of IS NULL OR (NOT has_variants AND suggested_cents IS NULL))),
  DROP CONSTRAINT products_delivery_check,
  ADD CONSTRAINT products_delivery_check CHECK (delivery IN ('file', 'code', 'license', 'bundle')),
  -- a variant shares the picture of its product
  DROP CONSTRAINT products_image_object_id_key,
  -- and its files, unless it has some of its own
  DROP CONSTRAINT products_id_file_id_fkey,
  ADD CONSTRAINT products_file FOREIGN KEY (file_id) REFERENCES product_files ON DELETE RESTRICT;

-- What a bundle holds, in the seller's order. A part is a product or a variant, never a bundle.
CREATE TABLE bundle_parts (
  bundle_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  position int NOT NULL,
  PRIMARY KEY (bundle_id, product_id),
  CHECK (bundle_id <> product_id)
);
CREATE INDEX bundle_parts_product ON bundle_parts (product_id);
CREATE TRIGGER bundle_parts_tell AFTER INSERT OR UPDATE OR DELETE ON bundle_parts FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

-- `is_listed`: shoppers see it in the lists. `is_on_sale`: they can buy it, also a variant, but not what is sold by variants.
-- PostgreSQL 15 cannot change the expression of a generated column, so the column is made again with what reads it.
DO $$
DECLARE
  definitions text[] := ARRAY (SELECT indexdef FROM pg_indexes
    WHERE schemaname = current_schema AND tablename = 'products' AND indexdef LIKE '%is_listed%')
    || ARRAY (SELECT pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgrelid = 'products'::regclass AND NOT tgisinternal AND pg_get_triggerdef(oid) LIKE '%is_listed%' AND tgname <> 'products_hooks');
  definition text;
  reader text;
BEGIN
  FOR reader IN SELECT tgname FROM pg_trigger
    WHERE tgrelid = 'products'::regclass AND NOT tgisinternal AND pg_get_triggerdef(oid) LIKE '%is_listed%'
  LOOP
    EXECUTE format('DROP TRIGGER %I ON products', reader);
  END LOOP;
  ALTER TABLE products DROP COLUMN is_listed;
  ALTER TABLE products
    ADD COLUMN is_listed boolean NOT NULL GENERATED ALWAYS AS (
      is_active AND taken_down IS NULL AND NOT is_suspended AND deleted_at IS NULL AND NOT is_out_of_stock
      AND (delivery <> 'file' OR file_id IS NOT NULL OR has_variants) AND variant_of IS NULL
    ) STORED,
    -- the same with what has sold out
    ADD COLUMN is_shown boolean NOT NULL GENERATED ALWAYS AS (
      is_active AND taken_down IS NULL AND NOT is_suspended AND deleted_at IS NULL
      AND (delivery <> 'file' OR file_id IS NOT NULL OR has_variants) AND variant_of IS NULL
    ) STORED,
    ADD COLUMN is_on_sale boolean NOT NULL GENERATED ALWAYS AS (
      is_active AND taken_down IS NULL AND NOT is_suspended AND deleted_at IS NULL AND NOT is_out_of_stock
      AND (delivery <> 'file' OR file_id IS NOT NULL) AND NOT has_variants AND NOT is_parent_off
    ) STORED;
  FOREACH definition IN ARRAY definitions LOOP EXECUTE definition; END LOOP;
END $$;

-- Webhooks hear of the product, whose price follows those of its variants.
CREATE TRIGGER products_hooks AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NULL
    AND (OLD.title, OLD.description, OLD.price_cents, OLD.suggested_cents, OLD.category_id, OLD.image_object_id, OLD.file_id, OLD.is_listed)
    IS DISTINCT FROM (NEW.title, NEW.description, NEW.price_cents, NEW.suggested_cents, NEW.category_id, NEW.image_object_id, NEW.file_id, NEW.is_listed))
  EXECUTE FUNCTION tell_hooks_of_product();

-- A variant takes from its product whatever it has not of its own. Its title names both, for carts, orders and mails.
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

-- A product shows the prices of its variants that are for sale, or of all while none is.
CREATE FUNCTION settle_variants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent uuid := coalesce(NEW.variant_of, OLD.variant_of);
BEGIN
  -- the next statement sees what the lock waited for
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
-- The first variant takes the free codes of its product.
CREATE FUNCTION adopt_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM products WHERE variant_of = NEW.variant_of AND deleted_at IS NULL AND (variant_position, id) < (NEW.variant_position, NEW.id)) THEN
    RETURN NULL;
  END IF;
  UPDATE codes SET product_id = NEW.id WHERE product_id = NEW.variant_of AND state = 'free';
  IF FOUND THEN UPDATE products SET is_out_of_stock = false WHERE id = NEW.id; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER products_adopt AFTER INSERT ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NOT NULL AND NEW.delivery = 'code') EXECUTE FUNCTION adopt_codes();

CREATE TRIGGER products_settle_new AFTER INSERT ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NOT NULL) EXECUTE FUNCTION settle_variants();
CREATE TRIGGER products_settle AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.variant_of IS NOT NULL AND (OLD.price_cents, OLD.is_active, OLD.is_out_of_stock, OLD.deleted_at, OLD.file_id, OLD.delivery)
    IS DISTINCT FROM (NEW.price_cents, NEW.is_active, NEW.is_out_of_stock, NEW.deleted_at, NEW.file_id, NEW.delivery))
  EXECUTE FUNCTION settle_variants();
CREATE TRIGGER products_settle_gone AFTER DELETE ON products FOR EACH ROW
  WHEN (OLD.variant_of IS NOT NULL) EXECUTE FUNCTION settle_variants();

-- Free codes of a product that is sold by variants are for the first of them: also those that a refund or a failed payment returns.
CREATE FUNCTION move_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.product_id := coalesce((SELECT v.id FROM products p JOIN products v ON v.variant_of = p.id AND v.deleted_at IS NULL
    WHERE p.id = NEW.product_id AND p.has_variants ORDER BY v.variant_position, v.id LIMIT 1), NEW.product_id);
  RETURN NEW;
END $$;
CREATE TRIGGER codes_move BEFORE UPDATE ON codes FOR EACH ROW
  WHEN (NEW.state = 'free' AND OLD.state <> 'free') EXECUTE FUNCTION move_code();

-- A bundle is for sale while all of its parts are.
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
