-- What members buy: products of one order, and how many buyers a product had lately. A job counts both at night.

CREATE TABLE product_pairs (
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  other_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  -- different buyers who had both in one order
  buyers int NOT NULL CHECK (buyers >= 3),
  PRIMARY KEY (product_id, other_id),
  CHECK (product_id <> other_id)
);
CREATE INDEX product_pairs_other ON product_pairs (other_id);

ALTER TABLE products ADD COLUMN recent_buyers int NOT NULL DEFAULT 0;

-- a count of buyers is no change that open pages need to hear of
DROP TRIGGER products_touch ON products;
CREATE TRIGGER products_touch BEFORE UPDATE ON products FOR EACH ROW
  WHEN (OLD.recent_buyers IS NOT DISTINCT FROM NEW.recent_buyers) EXECUTE FUNCTION touch_product();
