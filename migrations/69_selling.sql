-- The public page of a seller: its address and what the seller says there.

-- Every address a member has chosen. A former one keeps leading to the page. Without a member it is a reserved word.
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
  -- when a product of the seller was first on sale; the page does not exist before
  opened_at timestamptz,
  FOREIGN KEY (user_id, handle) REFERENCES seller_handles (user_id, handle) ON DELETE CASCADE
);

-- Opens the page of a seller, at an address made from the public name unless the seller has chosen one.
CREATE FUNCTION open_storefront(seller uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  base text;
  tried text;
  attempt int := 0;
BEGIN
  UPDATE storefronts SET opened_at = now() WHERE user_id = seller AND opened_at IS NULL;
  IF FOUND OR EXISTS (SELECT FROM storefronts WHERE user_id = seller) THEN RETURN; END IF;
  SELECT btrim(left(btrim(regexp_replace(plain_text(concat_ws(' ', btrim(first_name), left(btrim(last_name), 1))),
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

SELECT open_storefront(seller_id) FROM (SELECT DISTINCT seller_id FROM products WHERE is_listed) sellers;
UPDATE storefronts SET opened_at = (SELECT min(created_at) FROM products WHERE seller_id = user_id AND is_listed);

-- Every node caches the pages of sellers. A name reaches them by the products of the seller.
CREATE TRIGGER storefronts_tell AFTER INSERT OR UPDATE OR DELETE ON storefronts FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
CREATE FUNCTION tell_storefront() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM storefronts WHERE user_id = NEW.id) THEN PERFORM pg_notify('catalogue', ''); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_tell_storefront AFTER UPDATE OF image ON users FOR EACH ROW
  WHEN (OLD.image IS DISTINCT FROM NEW.image) EXECUTE FUNCTION tell_storefront();
