-- Gifts: copies of a line that its buyer gives away by a link. Who claims a gift gets an order of their own, with one line.

CREATE TABLE gifts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  -- ended: the money of its line was returned
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'claimed', 'taken_back', 'ended')),
  -- a new link ends the one before; only a hash of the newest is kept
  links int NOT NULL DEFAULT 1 CHECK (links > 0),
  token_hash text NOT NULL UNIQUE,
  to_name text NOT NULL DEFAULT '' CHECK (length(to_name) <= 80),
  to_email text CHECK (length(to_email) <= 254),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 300),
  -- when the mail goes out; null for a link that the giver passes on
  send_at timestamptz,
  sent_at timestamptz,
  claimed_by uuid REFERENCES users ON DELETE RESTRICT,
  claimed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((claimed_by IS NULL) = (claimed_at IS NULL)),
  CHECK (state NOT IN ('open', 'taken_back') OR claimed_by IS NULL),
  CHECK (state <> 'claimed' OR claimed_by IS NOT NULL)
);
CREATE INDEX gifts_line ON gifts (order_line_id);
CREATE INDEX gifts_claimer ON gifts (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX gifts_due ON gifts (send_at) WHERE state = 'open' AND sent_at IS NULL AND send_at IS NOT NULL;

ALTER TABLE orders
  DROP CONSTRAINT orders_source_check,
  ADD CONSTRAINT orders_source_check CHECK (source IN ('cart', 'product', 'gift'));
ALTER TABLE order_lines
  -- the gift that this line came from
  ADD COLUMN gift_id uuid REFERENCES gifts ON DELETE RESTRICT,
  DROP CONSTRAINT order_lines_free,
  ADD CONSTRAINT order_lines_free CHECK (delivery = 'file' OR price_cents * quantity > discount_cents OR gift_id IS NOT NULL);
-- the gift that a sold code waits for
ALTER TABLE codes ADD COLUMN gift_id uuid REFERENCES gifts ON DELETE RESTRICT;
-- the buyer keeps no copy: all are given away, or wait for it. Access is revoked meanwhile.
ALTER TABLE entitlements ADD COLUMN given_at timestamptz, ADD CHECK (given_at IS NULL OR revoked_at IS NOT NULL);

-- Open pages of the giver learn that a gift was claimed, never by whom.
CREATE FUNCTION tell_giver() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', o.user_id || ' orders') FROM order_lines l JOIN orders o ON o.id = l.order_id
    WHERE l.id = NEW.order_line_id;
  RETURN NULL;
END $$;
CREATE TRIGGER gifts_tell AFTER UPDATE OF state ON gifts FOR EACH ROW EXECUTE FUNCTION tell_giver();
