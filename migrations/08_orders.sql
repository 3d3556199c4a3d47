-- Orders, their lines with copied prices, the events of the state machine, and invoices. Money is in cents.

CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- the client's idempotency key; the same key with another body is refused
  checkout_key text NOT NULL CHECK (length(checkout_key) BETWEEN 1 AND 255),
  request_hash text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed', 'refunded')),
  source text NOT NULL CHECK (source IN ('cart', 'product', 'gift')),
  total_cents bigint NOT NULL,
  currency text NOT NULL DEFAULT 'USD' CHECK (currency = 'USD'),
  payment_method text CHECK (length(payment_method) <= 40),
  payment_id text CHECK (length(payment_id) <= 255),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  completed_at timestamptz,
  -- the part of the total that store credit pays: reserved when the order is placed, returned when it fails
  credit_cents bigint NOT NULL DEFAULT 0,
  UNIQUE (user_id, checkout_key),
  CHECK ((status IN ('completed', 'refunded')) = (completed_at IS NOT NULL)),
  CONSTRAINT orders_credit CHECK (credit_cents BETWEEN 0 AND total_cents),
  CONSTRAINT orders_total CHECK (total_cents BETWEEN 0 AND 99999999999999)
);
CREATE INDEX orders_user ON orders (user_id, created_at DESC, id DESC);
CREATE INDEX orders_pending ON orders (expires_at) WHERE status = 'pending';
-- sums up the orders of an account from the index alone
CREATE INDEX orders_paid_sums ON orders (user_id, status) INCLUDE (total_cents, credit_cents);
-- staff list orders by time and by status, and search by the short number
CREATE INDEX orders_newest ON orders (created_at DESC, id DESC);
CREATE INDEX orders_status ON orders (status, created_at DESC, id DESC);
CREATE INDEX orders_short ON orders (right(id::text, 8));
ALTER TABLE discount_uses ADD FOREIGN KEY (order_id) REFERENCES orders ON DELETE RESTRICT;
CREATE TRIGGER orders_hooks AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status IN ('completed', 'refunded')) EXECUTE FUNCTION tell_hooks_of_order();

-- The products of an order, with their title and price at that time.
CREATE TABLE order_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  position int NOT NULL,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  title text NOT NULL,
  price_cents bigint NOT NULL,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  delivery text NOT NULL CHECK (delivery IN ('file', 'code', 'license', 'course')),
  file_id uuid REFERENCES product_files ON DELETE RESTRICT,
  -- the buyer paid price_cents * quantity - discount_cents
  discount_cents bigint NOT NULL DEFAULT 0,
  -- the files after `file_id`. A version that was on sale is never deleted
  more_file_ids uuid[] NOT NULL DEFAULT '{}',
  -- the bundle of the line. An order may contain a product alone and in bundles
  bundle_id uuid REFERENCES products ON DELETE RESTRICT,
  bundle_title text,
  -- the gift that created this line
  gift_id uuid,
  UNIQUE (order_id, position),
  CONSTRAINT order_lines_discount CHECK (discount_cents BETWEEN 0 AND price_cents * quantity),
  CHECK (delivery <> 'file' OR file_id IS NOT NULL),
  CONSTRAINT order_lines_price CHECK (price_cents >= 0),
  CONSTRAINT order_lines_bundle CHECK ((bundle_id IS NULL) = (bundle_title IS NULL)),
  CONSTRAINT order_lines_free CHECK (delivery = 'file' OR price_cents * quantity > discount_cents OR gift_id IS NOT NULL)
);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE INDEX order_lines_file ON order_lines (file_id);
CREATE UNIQUE INDEX order_lines_once ON order_lines (order_id, product_id, bundle_id) NULLS NOT DISTINCT;
CREATE INDEX order_lines_bundle ON order_lines (bundle_id) WHERE bundle_id IS NOT NULL;
CREATE UNIQUE INDEX order_lines_gift ON order_lines (gift_id) WHERE gift_id IS NOT NULL;
CREATE INDEX order_lines_search ON order_lines USING gin (to_tsvector('english', search_text(title)));

-- Every step of an order. The CHECK constraint is the state machine.
CREATE TABLE order_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  from_status text,
  to_status text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  reason_code text NOT NULL CHECK (reason_code IN ('placed', 'paid', 'free', 'gift', 'claimed', 'canceled_by_buyer', 'expired',
    'sold_out', 'start_failed', 'risk_refused', 'risk_refused_paid', 'declined', 'refunded_at_provider', 'amount_mismatch',
    'payment_unusable', 'refunded', 'other')),
  -- money that arrives after the order failed is refunded, which is an event from 'failed' to 'failed'
  CHECK ((from_status, to_status) IN
    (('pending', 'completed'), ('pending', 'failed'), ('completed', 'refunded'), ('failed', 'completed'), ('failed', 'failed'))
    OR (from_status IS NULL AND to_status = 'pending'))
);
CREATE INDEX order_events_order ON order_events (order_id, id);
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON order_events FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Notifies open pages of the buyer, which load the order again.
CREATE FUNCTION tell_member_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' orders');
  RETURN NULL;
END $$;
CREATE TRIGGER orders_tell_new AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION tell_member_of_order();
CREATE TRIGGER orders_tell AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_member_of_order();

-- Serialises the orders that a buyer places, and returns the order of an idempotency key. The second statement sees
-- rows committed while the first one waited.
CREATE FUNCTION find_placed(buyer uuid, wanted_key text) RETURNS SETOF orders LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = buyer FOR NO KEY UPDATE;
  RETURN QUERY SELECT * FROM orders WHERE user_id = buyer AND checkout_key = wanted_key;
END $$;

-- Returns why a buyer cannot use a discount code, or null. A free copy does not count as a first order.
CREATE FUNCTION discount_problem(d discounts, buyer uuid) RETURNS text LANGUAGE sql STABLE AS $$
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

-- Room: purchases

-- Invoices and credit notes. A number is given under the lock of its row in `invoice_series`, in the transaction that
-- inserts the document, so a series has no gaps. An issued document never changes.
CREATE TABLE invoice_series (
  kind text PRIMARY KEY CHECK (kind IN ('invoice', 'credit_note')),
  year int NOT NULL,
  last_number int NOT NULL CHECK (last_number >= 0),
  -- date of the last number; if the clock goes back, the next number gets this date again
  last_at timestamptz NOT NULL
);
INSERT INTO invoice_series VALUES ('invoice', 2000, 0, '2000-01-01Z'), ('credit_note', 2000, 0, '2000-01-01Z');

CREATE TABLE invoices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  year int NOT NULL,
  number int NOT NULL CHECK (number > 0),
  -- such as INV-2026-000123
  label text NOT NULL UNIQUE,
  -- of a credit note: its invoice and the refund that it documents; without a refund, it cancels the invoice
  invoice_id uuid,
  refund_id uuid,
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  -- the whole content of the document
  data jsonb NOT NULL,
  issued_at timestamptz NOT NULL,
  UNIQUE (kind, year, number),
  UNIQUE (refund_id),
  UNIQUE (id, order_id),
  FOREIGN KEY (invoice_id, order_id) REFERENCES invoices (id, order_id) ON DELETE RESTRICT,
  CHECK ((kind = 'credit_note') = (invoice_id IS NOT NULL)),
  CHECK (kind = 'credit_note' OR refund_id IS NULL)
);
CREATE INDEX invoices_order ON invoices (order_id, issued_at);
CREATE UNIQUE INDEX invoices_canceled_once ON invoices (invoice_id) WHERE kind = 'credit_note' AND refund_id IS NULL;
CREATE TRIGGER invoices_append_only BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Details of a buyer for the next invoice.
CREATE TABLE invoice_details (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  company text NOT NULL DEFAULT '' CHECK (length(company) <= 120),
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 300),
  vat_id text NOT NULL DEFAULT '' CHECK (length(vat_id) <= 20),
  -- mails of receipts have the invoice attached
  is_attached boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Products that the same buyers had in one order, counted by a nightly job.
CREATE TABLE product_pairs (
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  other_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  -- number of different buyers who had both in one order
  buyers int NOT NULL CHECK (buyers >= 3),
  PRIMARY KEY (product_id, other_id),
  CHECK (product_id <> other_id)
);
CREATE INDEX product_pairs_other ON product_pairs (other_id);
