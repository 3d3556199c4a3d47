-- Products that cost nothing, and products whose buyers choose the price.

ALTER TABLE products
  DROP CONSTRAINT products_price_cents_check,
  ADD CONSTRAINT products_price CHECK (price_cents BETWEEN 0 AND 99999999),
  -- with a suggestion buyers choose the price, and price_cents is the least
  ADD COLUMN suggested_cents bigint,
  ADD CONSTRAINT products_suggestion CHECK (suggested_cents BETWEEN greatest(price_cents, 1) AND 9999999),
  -- codes and keys are held for a payment, so their price cannot be zero
  ADD CONSTRAINT products_free CHECK (price_cents > 0 OR delivery = 'file');

-- What the buyer of one copy pays: `chosen` where buyers choose, as far as it is allowed. Carts and orders share it.
CREATE FUNCTION price_of(p products, chosen bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p.suggested_cents IS NULL THEN p.price_cents
    ELSE greatest(p.price_cents, least(coalesce(chosen, p.suggested_cents), 9999999)) END
$$;

ALTER TABLE orders
  DROP CONSTRAINT orders_total_cents_check,
  ADD CONSTRAINT orders_total CHECK (total_cents BETWEEN 0 AND 99999999999999);

ALTER TABLE order_lines
  DROP CONSTRAINT order_lines_price_cents_check,
  ADD CONSTRAINT order_lines_price CHECK (price_cents >= 0),
  ADD CONSTRAINT order_lines_free CHECK (delivery = 'file' OR price_cents * quantity > discount_cents);

ALTER TABLE discount_uses
  DROP CONSTRAINT discount_uses_paid_cents_check,
  ADD CONSTRAINT discount_uses_paid CHECK (paid_cents >= 0);

-- A copy that cost nothing does not use up a code for first orders.
CREATE OR REPLACE FUNCTION discount_problem(d discounts, buyer uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN d.uses >= d.most_uses THEN 'used_up'
    WHEN (d.most_per_buyer IS NOT NULL OR d.is_first_only)
      AND (SELECT count(*) FROM discount_uses u WHERE u.discount_id = d.id AND u.user_id = buyer AND u.returned_at IS NULL)
        >= least(d.most_per_buyer, CASE WHEN d.is_first_only THEN 1 END) THEN 'spent'
    WHEN d.is_first_only AND EXISTS (SELECT FROM orders o JOIN order_lines l ON l.order_id = o.id
      WHERE o.user_id = buyer AND o.completed_at IS NOT NULL AND l.seller_id = d.seller_id
        AND l.price_cents * l.quantity > l.discount_cents) THEN 'not_first'
    WHEN d.ends_at <= now() THEN 'ended'
    WHEN d.paused_at IS NOT NULL THEN 'paused'
    WHEN d.starts_at > now() THEN 'planned'
  END $$;

-- Webhooks hear of a changed suggestion as of a changed price.
CREATE OR REPLACE FUNCTION tell_hooks_of_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('productId', NEW.id, 'title', NEW.title, 'price', dollars(NEW.price_cents),
    'suggested', dollars(NEW.suggested_cents), 'categoryId', NEW.category_id, 'isListed', NEW.is_listed);
BEGIN
  PERFORM tell_hooks('product.updated', NEW.seller_id, data);
  PERFORM tell_hooks('product.updated', NULL, data);
  RETURN NULL;
END $$;
DROP TRIGGER products_hooks ON products;
CREATE TRIGGER products_hooks AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.title, OLD.description, OLD.price_cents, OLD.suggested_cents, OLD.category_id, OLD.image_object_id, OLD.file_id, OLD.is_listed)
    IS DISTINCT FROM (NEW.title, NEW.description, NEW.price_cents, NEW.suggested_cents, NEW.category_id, NEW.image_object_id, NEW.file_id, NEW.is_listed))
  EXECUTE FUNCTION tell_hooks_of_product();

-- a file of products may offer a choice of prices
ALTER TABLE product_import_rows ADD COLUMN suggested_cents bigint;
