CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- the caller's idempotency key, and what was asked with it: the same key with another body is refused
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
  UNIQUE (user_id, checkout_key),
  CHECK ((status IN ('completed', 'refunded')) = (completed_at IS NOT NULL))
);
CREATE INDEX orders_user ON orders (user_id, created_at DESC, id DESC);
CREATE INDEX orders_pending ON orders (expires_at) WHERE status = 'pending';

-- What was bought, frozen at the moment of placing.
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

-- Every change of an order, append only.
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

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON order_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
