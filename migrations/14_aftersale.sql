-- Requests for refunds, and large refunds that wait for a second member of staff.

-- Refund requests of buyers, one per line. Staff grant them or decline them with a reason.
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

-- A refund above REFUND_APPROVAL_ABOVE waits for the approval of another member of staff.
CREATE TABLE refund_approvals (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  -- the requester knew that the buyer had seen codes of the order
  is_code_seen boolean NOT NULL,
  -- null for the command line
  asked_by uuid REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected')),
  decided_by uuid REFERENCES users ON DELETE RESTRICT,
  decided_at timestamptz,
  refund_id uuid UNIQUE REFERENCES refunds ON DELETE RESTRICT,
  -- null for the whole order; otherwise [{"orderLineId", "quantity"}]
  lines jsonb,
  CHECK ((state = 'waiting') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
  CHECK ((state = 'approved') = (refund_id IS NOT NULL)),
  CONSTRAINT approvals_by_another CHECK (decided_by <> asked_by)
);
CREATE UNIQUE INDEX refund_approvals_waiting ON refund_approvals (order_id) WHERE state = 'waiting';
CREATE INDEX refund_approvals_order ON refund_approvals (order_id);
