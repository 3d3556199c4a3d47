-- Codes on demand: products whose codes a supplier makes when they are sold, and the requests for them.
CREATE TABLE supplied_products (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  -- the supplier's name of the thing
  sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 100),
  -- so long the shop asks for the codes of a sale; then their money returns
  window_minutes int NOT NULL CHECK (window_minutes BETWEEN 1 AND 1440),
  created_at timestamptz NOT NULL DEFAULT now()
);
-- One request for each line; the line's id is the request's, so a repeat answers the same codes.
CREATE TABLE supply_requests (
  order_line_id uuid PRIMARY KEY REFERENCES order_lines ON DELETE RESTRICT,
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  sku text NOT NULL,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  -- ended: the window is over, or the line was refunded; what arrives later is not sold
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'ended')),
  ends_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  asked_at timestamptz,
  -- why the last answer gave no codes; never a code
  last_error text CHECK (length(last_error) <= 200),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX supply_requests_waiting ON supply_requests (ends_at) WHERE state = 'waiting';

-- Open pages of the buyer learn that codes arrived, or will not.
CREATE FUNCTION tell_of_supply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', o.user_id || ' orders') FROM order_lines l JOIN orders o ON o.id = l.order_id
    WHERE l.id = NEW.order_line_id;
  RETURN NULL;
END $$;
CREATE TRIGGER supply_requests_tell AFTER UPDATE OF state ON supply_requests FOR EACH ROW EXECUTE FUNCTION tell_of_supply();
