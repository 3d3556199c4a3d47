-- How often each product was sold and looked at, so that the best of a seller's many products are an index lookup. The orders' own
-- transactions write none of it: buyers of one product would wait for each other.

CREATE TABLE product_counts (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- lines that were sold and not taken back, without what still waits in seller_events
  sales int NOT NULL DEFAULT 0,
  -- of the last 30 days, as in product_sums
  views int NOT NULL DEFAULT 0
);

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

-- Access that ends takes a sale back.
ALTER TABLE seller_events DROP CONSTRAINT seller_events_kind_check,
  ADD CONSTRAINT seller_events_kind_check CHECK (kind IN ('sale', 'refund', 'review', 'access'));

CREATE FUNCTION note_access_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO seller_events (seller_id, kind, order_line_id, day)
    SELECT seller_id, 'access', id, utc_day(now()) FROM order_lines WHERE id = NEW.order_line_id;
  RETURN NULL;
END $$;
CREATE TRIGGER entitlements_note_end AFTER UPDATE OF revoked_at ON entitlements FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION note_access_end();

-- Whoever changes the sums of a seller holds the lock of product_sum_days.
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

-- Sales that wait in seller_events are added by the job, also those that were taken back meanwhile.
INSERT INTO product_counts (product_id, seller_id, sales, views)
  SELECT p.id, p.seller_id, coalesce(sold.lines, 0) - coalesce(waiting.lines, 0), coalesce(v.views, 0)
  FROM products p
  LEFT JOIN (SELECT product_id, count(*) AS lines FROM entitlements WHERE revoked_at IS NULL GROUP BY 1) sold ON sold.product_id = p.id
  LEFT JOIN (SELECT l.product_id, count(*) AS lines FROM seller_events e JOIN order_lines l ON l.id = e.order_line_id
    WHERE e.kind = 'sale' GROUP BY 1) waiting ON waiting.product_id = p.id
  LEFT JOIN product_sums v ON v.seller_id = p.seller_id AND v.days = 30 AND v.key = p.id::text;

CREATE INDEX product_counts_sales ON product_counts (seller_id, sales DESC, product_id DESC);
CREATE INDEX product_counts_views ON product_counts (seller_id, views DESC, product_id DESC);
