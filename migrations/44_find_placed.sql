-- Serializes a buyer's placements and finds the order of an idempotency key. Two statements in one function: the second
-- sees what the first waited for.
CREATE FUNCTION find_placed(buyer uuid, wanted_key text) RETURNS SETOF orders LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = buyer FOR NO KEY UPDATE;
  RETURN QUERY SELECT * FROM orders WHERE user_id = buyer AND checkout_key = wanted_key;
END $$;
