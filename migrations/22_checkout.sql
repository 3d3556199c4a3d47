-- A refund above REFUND_APPROVAL_ABOVE. The refund itself is made when another member of staff approves it.
CREATE TABLE refund_approvals (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  -- the requester knew that the buyer has seen codes of the order
  is_code_seen boolean NOT NULL,
  -- null for the command line
  asked_by uuid REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected')),
  decided_by uuid REFERENCES users ON DELETE RESTRICT,
  decided_at timestamptz,
  refund_id uuid UNIQUE REFERENCES refunds ON DELETE RESTRICT,
  CHECK ((state = 'waiting') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
  CHECK ((state = 'approved') = (refund_id IS NOT NULL)),
  CONSTRAINT approvals_by_another CHECK (decided_by <> asked_by)
);
CREATE UNIQUE INDEX refund_approvals_waiting ON refund_approvals (order_id) WHERE state = 'waiting';
CREATE INDEX refund_approvals_order ON refund_approvals (order_id);
