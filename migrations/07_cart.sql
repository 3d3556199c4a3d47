-- Carts and discount codes.

CREATE TABLE cart_items (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- the price that the buyer chose, or the price of the product when it was added
  price_cents bigint,
  is_chosen boolean NOT NULL DEFAULT false,
  UNIQUE (user_id, product_id)
);
CREATE INDEX cart_items_product ON cart_items (product_id);

CREATE TABLE discounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- in upper case, because a buyer may type it in any case
  code text NOT NULL CHECK (code ~ '^[A-Z0-9]{4,20}$'),
  percent int CHECK (percent BETWEEN 1 AND 100),
  -- an amount off the order, once
  amount_cents bigint CHECK (amount_cents BETWEEN 1 AND 99999999),
  -- if false, the code applies to the products in discount_products
  is_for_all boolean NOT NULL,
  is_first_only boolean NOT NULL,
  starts_at timestamptz,
  ends_at timestamptz,
  most_uses int CHECK (most_uses > 0),
  most_per_buyer int CHECK (most_per_buyer > 0),
  paused_at timestamptz,
  -- uses, without those that failed orders returned; changed only under the row's lock
  uses int NOT NULL DEFAULT 0 CHECK (uses >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- counts the edits; an edit of an older version is refused
  version int NOT NULL DEFAULT 1,
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

-- The discount codes in the cart of a member, at most one for each seller.
CREATE TABLE cart_discounts (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  discount_id uuid NOT NULL REFERENCES discounts ON DELETE CASCADE,
  PRIMARY KEY (user_id, seller_id)
);
CREATE INDEX cart_discounts_discount ON cart_discounts (discount_id);

CREATE TABLE discount_uses (
  order_id uuid NOT NULL,
  discount_id uuid NOT NULL REFERENCES discounts ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- the code as it was when the order was placed
  code text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- the amount that the order pays for the products of the code
  paid_cents bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when the order failed
  returned_at timestamptz,
  PRIMARY KEY (order_id, discount_id),
  CONSTRAINT discount_uses_paid CHECK (paid_cents >= 0)
);
CREATE INDEX discount_uses_buyer ON discount_uses (discount_id, user_id);
CREATE INDEX discount_uses_user ON discount_uses (user_id);

-- Locks codes in order of id and checks them. The second statement sees rows committed while the first one waited.
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
