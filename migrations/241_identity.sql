-- The products of a seller whose account is about to be deleted are off sale, as those of a suspended seller are.

CREATE FUNCTION is_seller_suspended(seller uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM suspensions WHERE seller_id = seller AND lifted_at IS NULL)
    OR EXISTS (SELECT FROM users WHERE id = seller AND erase_at IS NOT NULL)
$$;

CREATE OR REPLACE FUNCTION suspend_new_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- waits for whoever suspends the seller, or makes them wait
  PERFORM FROM users WHERE id = NEW.seller_id FOR SHARE;
  NEW.is_suspended := is_seller_suspended(NEW.seller_id);
  RETURN NEW;
END $$;

UPDATE products SET is_suspended = true WHERE NOT is_suspended AND seller_id IN (SELECT id FROM users WHERE erase_at IS NOT NULL);
