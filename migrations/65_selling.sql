-- A seller's sales by day. Triggers note what happened; a job adds it to the days.

-- What happened to a seller's sales since the job last ran. Reads add these rows to the days, so sums are exact at once.
CREATE TABLE seller_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('sale', 'refund', 'review')),
  order_line_id uuid NOT NULL,
  -- the day of the sale in UTC, also for a later refund
  day date NOT NULL,
  -- what the event adds to that day
  orders int NOT NULL DEFAULT 0,
  sales int NOT NULL DEFAULT 0,
  refunds int NOT NULL DEFAULT 0,
  gross_cents bigint NOT NULL DEFAULT 0,
  fee_cents bigint NOT NULL DEFAULT 0,
  returned_cents bigint NOT NULL DEFAULT 0
);
CREATE INDEX seller_events_seller ON seller_events (seller_id, id);

-- Sums of one seller and day: of all products, of one product, and of one country of buyers.
CREATE TABLE sales_days (
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('all', 'product', 'country')),
  day date NOT NULL,
  -- the product's id, or the country's code; empty for all and for an unknown country
  key text NOT NULL,
  -- an order counts once, also with several products
  orders int NOT NULL DEFAULT 0,
  sales int NOT NULL DEFAULT 0,
  -- sales of this day of which money was returned, then or later
  refunds int NOT NULL DEFAULT 0,
  gross_cents bigint NOT NULL DEFAULT 0,
  fee_cents bigint NOT NULL DEFAULT 0,
  returned_cents bigint NOT NULL DEFAULT 0,
  -- views by members other than the seller
  views int NOT NULL DEFAULT 0,
  PRIMARY KEY (seller_id, kind, day, key)
);

CREATE FUNCTION utc_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS
  $$ SELECT (moment AT TIME ZONE 'UTC')::date $$;

CREATE FUNCTION note_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- payments inserts all lines of an order in one statement, so the first line of a seller counts the order
  INSERT INTO seller_events (seller_id, kind, order_line_id, day, orders, sales, gross_cents, fee_cents)
    SELECT seller_id, 'sale', order_line_id, utc_day(earned_at),
      (row_number() OVER (PARTITION BY order_id, seller_id ORDER BY order_line_id) = 1)::int, 1, gross_cents, fee_cents
    FROM added;
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
      <> (o.gross_cents, o.fee_cents, o.returned_cents, o.returned_fee_cents);
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

-- The place of the last judgement before an order was paid; empty if it is unknown.
CREATE FUNCTION country_of_order(wanted uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT country FROM risk_decisions WHERE order_id = wanted ORDER BY created_at DESC LIMIT 1), '')
$$;

-- What was sold before. An order names a product once, so each line of a product is an order.
WITH sold AS MATERIALIZED (
  SELECT seller_id, order_id, utc_day(earned_at) AS day, count(*) AS sales,
    count(*) FILTER (WHERE returned_cents > 0) AS refunds, sum(gross_cents) AS gross,
    sum(fee_cents - returned_fee_cents) AS fee, sum(returned_cents) AS returned
  FROM earnings GROUP BY 1, 2, 3),
placed AS MATERIALIZED (
  SELECT DISTINCT ON (order_id) order_id, country FROM risk_decisions ORDER BY order_id, created_at DESC)
INSERT INTO sales_days (seller_id, kind, day, key, orders, sales, refunds, gross_cents, fee_cents, returned_cents)
  SELECT seller_id, 'all', day, '', count(*), sum(sales), sum(refunds), sum(gross), sum(fee), sum(returned)
  FROM sold GROUP BY seller_id, day
UNION ALL
  SELECT seller_id, 'country', day, coalesce(country, ''), count(*), sum(sales), sum(refunds), sum(gross), sum(fee), sum(returned)
  FROM sold LEFT JOIN placed USING (order_id) GROUP BY seller_id, day, coalesce(country, '')
UNION ALL
  SELECT e.seller_id, 'product', utc_day(e.earned_at), l.product_id::text, count(*), count(*),
    count(*) FILTER (WHERE e.returned_cents > 0), sum(e.gross_cents), sum(e.fee_cents - e.returned_fee_cents), sum(e.returned_cents)
  FROM earnings e JOIN order_lines l ON l.id = e.order_line_id GROUP BY e.seller_id, utc_day(e.earned_at), l.product_id;
