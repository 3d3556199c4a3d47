-- Codes from before a product had variants are for the variant whose price is that of the product, not for the first.
ALTER TABLE products ADD COLUMN codes_to uuid;

DROP TRIGGER products_adopt ON products;
CREATE OR REPLACE FUNCTION adopt_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE codes SET product_id = NEW.codes_to WHERE product_id = NEW.id AND state = 'free';
  IF FOUND THEN UPDATE products SET is_out_of_stock = false WHERE id = NEW.codes_to; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER products_adopt AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.codes_to IS NOT NULL AND OLD.codes_to IS DISTINCT FROM NEW.codes_to) EXECUTE FUNCTION adopt_codes();

-- Also those that a refund or a failed payment returns later.
CREATE OR REPLACE FUNCTION move_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.product_id := coalesce((SELECT p.codes_to FROM products p WHERE p.id = NEW.product_id AND p.has_variants), NEW.product_id);
  RETURN NEW;
END $$;
