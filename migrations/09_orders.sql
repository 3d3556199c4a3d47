-- Orders, their frozen lines, and the events of the state machine. Money is in cents.

CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- the caller's idempotency key; the same key with another body is refused
  checkout_key text NOT NULL CHECK (length(checkout_key) BETWEEN 1 AND 255),
  request_hash text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed', 'refunded')),
  source text NOT NULL CHECK (source IN ('cart', 'product')),
  total_cents bigint NOT NULL CHECK (total_cents BETWEEN 1 AND 99999999999999),
  currency text NOT NULL DEFAULT 'USD' CHECK (currency = 'USD'),
  payment_method text CHECK (length(payment_method) <= 40),
  payment_id text CHECK (length(payment_id) <= 255),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  completed_at timestamptz,
  -- the part of the total that store credit pays: taken when the order is placed, returned when it fails
  credit_cents bigint NOT NULL DEFAULT 0,
  UNIQUE (user_id, checkout_key),
  CHECK ((status IN ('completed', 'refunded')) = (completed_at IS NOT NULL)),
  CONSTRAINT orders_credit CHECK (credit_cents BETWEEN 0 AND total_cents)
);
CREATE INDEX orders_user ON orders (user_id, created_at DESC, id DESC);
CREATE INDEX orders_pending ON orders (expires_at) WHERE status = 'pending';
-- adds up an account with thousands of orders from the index alone
CREATE INDEX orders_paid_sums ON orders (user_id, status) INCLUDE (total_cents, credit_cents);
-- staff list orders by time and by status, and search by the short number
CREATE INDEX orders_newest ON orders (created_at DESC, id DESC);
CREATE INDEX orders_status ON orders (status, created_at DESC, id DESC);
CREATE INDEX orders_short ON orders (right(id::text, 8));

-- What was bought, with title and price as they were when the order was placed.
CREATE TABLE order_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  position int NOT NULL,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  title text NOT NULL,
  price_cents bigint NOT NULL CHECK (price_cents > 0),
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  delivery text NOT NULL CHECK (delivery IN ('file', 'code')),
  file_id uuid REFERENCES product_files ON DELETE RESTRICT,
  UNIQUE (order_id, product_id),
  UNIQUE (order_id, position),
  CHECK (delivery = 'code' OR file_id IS NOT NULL)
);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE INDEX order_lines_file ON order_lines (file_id);
CREATE INDEX order_lines_title ON order_lines USING gin (to_tsvector('english', title));

-- Every step of an order. The check is the state machine.
CREATE TABLE order_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  from_status text,
  to_status text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((from_status, to_status) IN (('pending', 'completed'), ('pending', 'failed'), ('completed', 'refunded'), ('failed', 'completed'))
    OR (from_status IS NULL AND to_status = 'pending'))
);
CREATE INDEX order_events_order ON order_events (order_id, id);
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON order_events FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Open pages of the buyer learn that an order changed, never its content.
CREATE FUNCTION tell_member_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' orders');
  RETURN NULL;
END $$;
CREATE TRIGGER orders_tell_new AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION tell_member_of_order();
CREATE TRIGGER orders_tell AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_member_of_order();
