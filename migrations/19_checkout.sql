-- What buyers ask to be refunded, a line each. Staff answer with a refund or with their reason against it.
CREATE TABLE refund_requests (
  order_line_id uuid PRIMARY KEY REFERENCES order_lines ON DELETE RESTRICT,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  reason text NOT NULL CHECK (reason IN ('damaged', 'different', 'mistake', 'other')),
  note text NOT NULL CHECK (length(note) <= 500),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'granted', 'declined')),
  -- why staff declined
  answer text CHECK (length(answer) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  answered_at timestamptz,
  CHECK ((state = 'open') = (answered_at IS NULL)),
  CHECK ((state = 'declined') = (answer IS NOT NULL))
);
CREATE INDEX refund_requests_order ON refund_requests (order_id);
CREATE INDEX refund_requests_open ON refund_requests (order_id) WHERE state = 'open';

CREATE FUNCTION tell_member_of_refund_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', user_id || ' orders') FROM orders WHERE id = NEW.order_id;
  RETURN NULL;
END $$;
CREATE TRIGGER refund_requests_tell AFTER INSERT OR UPDATE ON refund_requests
  FOR EACH ROW EXECUTE FUNCTION tell_member_of_refund_request();
