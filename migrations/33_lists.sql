-- What the lists of products sort by and count, kept by triggers so that no list reads the whole catalogue.

-- The average rating as it is shown, times ten million, plus the number of reviews; 0 without reviews.
ALTER TABLE products ADD COLUMN rated bigint NOT NULL DEFAULT 0;

CREATE FUNCTION rate_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  reviews int := NEW.stars_1 + NEW.stars_2 + NEW.stars_3 + NEW.stars_4 + NEW.stars_5;
  stars int := NEW.stars_1 + 2 * NEW.stars_2 + 3 * NEW.stars_3 + 4 * NEW.stars_4 + 5 * NEW.stars_5;
  key bigint := coalesce(round(stars::numeric / nullif(reviews, 0), 1) * 10000000 + reviews, 0);
BEGIN
  UPDATE products SET rated = key WHERE id = NEW.product_id AND rated <> key;
  RETURN NULL;
END $$;
-- At the end of the transaction: a checkout locks the products of its order, and waits only for the commit.
CREATE CONSTRAINT TRIGGER ratings_rate AFTER INSERT OR UPDATE ON ratings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION rate_product();

-- not a change that open pages need to hear of
DROP TRIGGER products_touch ON products;
CREATE TRIGGER products_touch BEFORE UPDATE ON products FOR EACH ROW
  WHEN (OLD.rated = NEW.rated) EXECUTE FUNCTION touch_product();

-- The number of listed products in each category.
CREATE TABLE listed_products (
  category_id text PRIMARY KEY REFERENCES categories ON DELETE CASCADE,
  count int NOT NULL CHECK (count >= 0)
);
INSERT INTO listed_products SELECT category_id, count(*) FROM products WHERE is_listed GROUP BY 1;

-- Once per statement, in order of category: two statements that move products the opposite way never deadlock.
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
