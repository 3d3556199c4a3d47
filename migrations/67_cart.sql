-- Discount codes of sellers, the codes that members keep with their carts, and what each order used.

CREATE TABLE discounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- upper case: a buyer may type it in any case
  code text NOT NULL CHECK (code ~ '^[A-Z0-9]{4,20}$'),
  percent int CHECK (percent BETWEEN 1 AND 100),
  -- off an order, once
  amount_cents bigint CHECK (amount_cents BETWEEN 1 AND 99999999),
  -- false: for the products in discount_products
  is_for_all boolean NOT NULL,
  is_first_only boolean NOT NULL,
  starts_at timestamptz,
  ends_at timestamptz,
  most_uses int CHECK (most_uses > 0),
  most_per_buyer int CHECK (most_per_buyer > 0),
  paused_at timestamptz,
  -- claims that were not returned; changes under the row's lock
  uses int NOT NULL DEFAULT 0 CHECK (uses >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (seller_id, code),
  CHECK ((percent IS NULL) <> (amount_cents IS NULL)),
  CHECK (ends_at > starts_at),
  CONSTRAINT discounts_uses CHECK (uses <= most_uses)
);
CREATE INDEX discounts_seller ON discounts (seller_id, created_at DESC, id DESC);

CREATE TABLE discount_products (
  discount_id uuid NOT NULL REFERENCES discounts ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  PRIMARY KEY (discount_id, product_id)
);
CREATE INDEX discount_products_product ON discount_products (product_id);

-- One code for each seller.
CREATE TABLE cart_discounts (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  discount_id uuid NOT NULL REFERENCES discounts ON DELETE CASCADE,
  PRIMARY KEY (user_id, seller_id)
);
CREATE INDEX cart_discounts_discount ON cart_discounts (discount_id);

CREATE TABLE discount_uses (
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  discount_id uuid NOT NULL REFERENCES discounts ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- as it was written when the order was placed
  code text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- what the order pays for the products that the code fits
  paid_cents bigint NOT NULL CHECK (paid_cents > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- the order failed
  returned_at timestamptz,
  PRIMARY KEY (order_id, discount_id)
);
CREATE INDEX discount_uses_buyer ON discount_uses (discount_id, user_id);
CREATE INDEX discount_uses_user ON discount_uses (user_id);

-- Why a code takes nothing off for a buyer now; null if it does. Without a buyer: the state of the code itself.
CREATE FUNCTION discount_problem(d discounts, buyer uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN d.uses >= d.most_uses THEN 'used_up'
    WHEN (d.most_per_buyer IS NOT NULL OR d.is_first_only)
      AND (SELECT count(*) FROM discount_uses u WHERE u.discount_id = d.id AND u.user_id = buyer AND u.returned_at IS NULL)
        >= least(d.most_per_buyer, CASE WHEN d.is_first_only THEN 1 END) THEN 'spent'
    WHEN d.is_first_only AND EXISTS (SELECT FROM orders o JOIN order_lines l ON l.order_id = o.id
      WHERE o.user_id = buyer AND o.completed_at IS NOT NULL AND l.seller_id = d.seller_id) THEN 'not_first'
    WHEN d.ends_at <= now() THEN 'ended'
    WHEN d.paused_at IS NOT NULL THEN 'paused'
    WHEN d.starts_at > now() THEN 'planned'
  END $$;

-- Locks codes in order of id and judges them. Two statements in one function: the second sees what the first waited for.
CREATE FUNCTION lock_discounts(wanted uuid[], buyer uuid)
  RETURNS TABLE (id uuid, seller_id uuid, code text, percent int, amount_cents bigint, product_ids uuid[], problem text)
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM discounts d WHERE d.id = ANY (wanted) ORDER BY d.id FOR NO KEY UPDATE;
  RETURN QUERY SELECT d.id, d.seller_id, d.code, d.percent, d.amount_cents,
      CASE WHEN NOT d.is_for_all THEN ARRAY (SELECT p.product_id FROM discount_products p WHERE p.discount_id = d.id) END,
      discount_problem(d, buyer)
    FROM discounts d WHERE d.id = ANY (wanted) ORDER BY d.id;
END $$;
