-- What the lists of products sort by and count, kept by triggers so that no list reads the whole catalogue.

-- The average rating as it is shown, times ten million, plus the number of reviews; 0 without reviews.
ALTER TABLE products ADD COLUMN rated bigint NOT NULL DEFAULT 0;

CREATE FUNCTION rate_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  reviews int := NEW.stars_1 + NEW.stars_2 + NEW.stars_3 + NEW.stars_4 + NEW.stars_5;
  stars int := NEW.stars_1 + 2 * NEW.stars_2 + 3 * NEW.stars_3 + 4 * NEW.stars_4 + 5 * NEW.stars_5;
BEGIN
  UPDATE products SET rated = coalesce(round(stars::numeric / nullif(reviews, 0), 1) * 10000000 + reviews, 0)
    WHERE id = NEW.product_id;
  RETURN NULL;
END $$;
CREATE TRIGGER ratings_rate AFTER INSERT OR UPDATE ON ratings FOR EACH ROW EXECUTE FUNCTION rate_product();

-- not a change that open pages need to hear of
DROP TRIGGER products_touch ON products;
CREATE TRIGGER products_touch BEFORE UPDATE ON products FOR EACH ROW
  WHEN (OLD.rated = NEW.rated) EXECUTE FUNCTION touch_product();
UPDATE ratings SET samples = samples;

-- The number of listed products in each category.
CREATE TABLE listed_products (
  category_id text PRIMARY KEY REFERENCES categories ON DELETE CASCADE,
  count int NOT NULL CHECK (count >= 0)
);
INSERT INTO listed_products SELECT category_id, count(*) FROM products WHERE is_listed GROUP BY 1;

CREATE FUNCTION count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.is_listed THEN
    UPDATE listed_products SET count = count - 1 WHERE category_id = OLD.category_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.is_listed THEN
    INSERT INTO listed_products VALUES (NEW.category_id, 1)
      ON CONFLICT (category_id) DO UPDATE SET count = listed_products.count + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER products_count_new AFTER INSERT ON products FOR EACH ROW
  WHEN (NEW.is_listed) EXECUTE FUNCTION count_listed();
CREATE TRIGGER products_count AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.is_listed, OLD.category_id) IS DISTINCT FROM (NEW.is_listed, NEW.category_id)) EXECUTE FUNCTION count_listed();
CREATE TRIGGER products_count_gone AFTER DELETE ON products FOR EACH ROW
  WHEN (OLD.is_listed) EXECUTE FUNCTION count_listed();
