-- Members who follow a seller. A row is the consent to mails about new products of the seller.
CREATE TABLE follows (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  since timestamptz NOT NULL DEFAULT now(),
  -- where the member agreed
  source text NOT NULL CHECK (source IN ('seller_page', 'preferences')),
  -- mails and push messages announced the products that were published until then
  notified_until timestamptz NOT NULL DEFAULT now(),
  -- the day of the last mail or push message, in UTC
  notified_on date,
  -- the notice in the shop shows only products that were published later
  seen_until timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, seller_id),
  CHECK (user_id <> seller_id)
);
CREATE INDEX follows_seller ON follows (seller_id);

-- The first time each product was on sale. A product that returns to the shop is not new.
CREATE TABLE publications (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  published_at timestamptz NOT NULL DEFAULT now()
);
-- Products of earlier releases that may have been on sale.
INSERT INTO publications (product_id, seller_id, published_at)
  SELECT id, seller_id, created_at FROM products WHERE is_active OR withdrawn_at IS NOT NULL;
CREATE INDEX publications_seller ON publications (seller_id, published_at);
CREATE INDEX publications_time ON publications (published_at);

CREATE FUNCTION note_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO publications (product_id, seller_id) VALUES (NEW.id, NEW.seller_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER products_publish_new AFTER INSERT ON products FOR EACH ROW
  WHEN (NEW.is_listed) EXECUTE FUNCTION note_publication();
CREATE TRIGGER products_publish AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.is_listed AND NOT OLD.is_listed) EXECUTE FUNCTION note_publication();

-- A product that leaves the shop on the day of its publication was not announced. It is new when it returns.
CREATE FUNCTION forget_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM publications WHERE product_id = NEW.id AND published_at >= date_trunc('day', now(), 'UTC');
  RETURN NULL;
END $$;
CREATE TRIGGER products_unpublish AFTER UPDATE ON products FOR EACH ROW
  WHEN (OLD.is_listed AND NOT NEW.is_listed) EXECUTE FUNCTION forget_publication();

-- Room: identity

ALTER TABLE users ADD COLUMN wants_follows boolean NOT NULL DEFAULT true;
