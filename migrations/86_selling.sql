-- Sums of each product over the last 7, 30, 90 and 365 days, so that the best of many products are an index lookup.

-- The last day of the sums of a seller. Whoever changes the sums locks this row first.
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

-- Three statements: each sees what the one before waited for.
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

-- Takes away what an updated day was before. The trigger before it holds the lock.
CREATE FUNCTION take_product_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE product_sums p SET sales = p.sales - f.sales, gross_cents = p.gross_cents - f.gross_cents, views = p.views - f.views
  FROM (SELECT f.seller_id, period AS days, f.key, sum(f.sales) AS sales, sum(f.gross_cents) AS gross_cents, sum(f.views) AS views
    FROM former f JOIN product_sum_days s USING (seller_id) CROSS JOIN periods_of_sales() period
    WHERE f.kind = 'product' AND f.day > s.day - period GROUP BY 1, 2, 3) f
  WHERE p.seller_id = f.seller_id AND p.days = f.days AND p.key = f.key;
  RETURN NULL;
END $$;

-- Moves the periods of a seller to today: takes away the days that leave them.
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

INSERT INTO product_sum_days (seller_id, day) SELECT DISTINCT seller_id, utc_day(now()) FROM sales_days WHERE kind = 'product';
INSERT INTO product_sums (seller_id, days, key, sales, gross_cents, views)
  SELECT seller_id, period, key, sum(sales), sum(gross_cents), sum(views) FROM sales_days CROSS JOIN periods_of_sales() period
  WHERE kind = 'product' AND day > utc_day(now()) - period GROUP BY 1, 2, 3;

-- Nothing deletes a day but the deletion of its seller, which takes the sums too.
CREATE TRIGGER sales_days_add AFTER INSERT ON sales_days REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_product_sums();
CREATE TRIGGER sales_days_add_new AFTER UPDATE ON sales_days REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_product_sums();
CREATE TRIGGER sales_days_take_former AFTER UPDATE ON sales_days REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION take_product_sums();
