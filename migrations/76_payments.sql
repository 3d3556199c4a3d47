-- Refunds of single lines and by buyers, disputed payments, and captured money that waits for its refund. Cents.

ALTER TABLE refunds
  -- the part that returns as store credit; amount_cents is what the provider returns
  ADD COLUMN credit_cents bigint NOT NULL DEFAULT 0,
  -- the buyer took it without staff
  ADD COLUMN is_by_buyer boolean NOT NULL DEFAULT false,
  -- staff settled what the provider does not explain
  ADD COLUMN settled_by uuid REFERENCES users ON DELETE RESTRICT,
  DROP CONSTRAINT refunds_amount_cents_check,
  ADD CONSTRAINT refunds_amount CHECK (amount_cents >= 0 AND credit_cents >= 0 AND amount_cents + credit_cents > 0);

-- Whole refunds of orders that credit paid in part returned that credit, or will.
UPDATE refunds SET credit_cents = whole.credit_cents
FROM (
  SELECT DISTINCT ON (p.id) r.id, o.credit_cents
  FROM payments p JOIN orders o ON o.id = p.order_id JOIN refunds r ON r.payment_id = p.id
  WHERE o.credit_cents > 0 AND o.credit_cents < o.total_cents AND p.status IN ('captured', 'part_refunded', 'refunded')
    AND r.status <> 'failed'
    AND p.amount_cents = (SELECT sum(s.amount_cents) FROM refunds s WHERE s.payment_id = p.id AND s.status <> 'failed')
  ORDER BY p.id, r.updated_at DESC, r.id) whole
WHERE refunds.id = whole.id;

-- The lines that a refund is for. Without any it is for a part of the whole order.
CREATE TABLE refund_lines (
  refund_id uuid NOT NULL REFERENCES refunds ON DELETE RESTRICT,
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  -- copies
  quantity int NOT NULL CHECK (quantity > 0),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  PRIMARY KEY (refund_id, order_line_id)
);
CREATE INDEX refund_lines_line ON refund_lines (order_line_id);

ALTER TABLE earnings
  -- copies that refunds of the line returned
  ADD COLUMN returned_quantity int NOT NULL DEFAULT 0 CHECK (returned_quantity >= 0),
  -- a dispute is open: the money is pending until it ends
  ADD COLUMN is_disputed boolean NOT NULL DEFAULT false;

-- Payments that buyers dispute at the provider.
CREATE TABLE disputes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  provider text NOT NULL,
  provider_dispute_id text NOT NULL CHECK (length(provider_dispute_id) <= 200),
  state text NOT NULL CHECK (state IN ('needs_evidence', 'under_review', 'won', 'lost')),
  -- what the provider says is disputed
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- what the ledger keeps in the account of disputed money for it
  held_cents bigint NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  -- the provider's word
  reason text NOT NULL CHECK (length(reason) <= 200),
  evidence_due_at timestamptz,
  opened_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  looked_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- the refund that a lost dispute is
  refund_id uuid UNIQUE REFERENCES refunds ON DELETE RESTRICT,
  -- what staff sent: the id is the provider's idempotency key
  evidence_id uuid,
  evidence_note text CHECK (length(evidence_note) <= 2000),
  evidence_by uuid REFERENCES users ON DELETE RESTRICT,
  evidence_sent_at timestamptz,
  -- why the provider did not take it
  evidence_refusal text CHECK (length(evidence_refusal) <= 200),
  UNIQUE (provider, provider_dispute_id),
  CHECK ((state IN ('won', 'lost')) = (ended_at IS NOT NULL)),
  CHECK (ended_at IS NULL OR held_cents = 0),
  CHECK ((evidence_id IS NULL) = (evidence_by IS NULL))
);
CREATE INDEX disputes_order ON disputes (order_id);
CREATE INDEX disputes_payment ON disputes (payment_id);
CREATE INDEX disputes_open ON disputes (looked_at) WHERE ended_at IS NULL;
CREATE INDEX disputes_newest ON disputes (created_at DESC, id DESC);
CREATE INDEX disputes_buyer ON disputes (user_id, ended_at);

CREATE FUNCTION tell_member_of_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' orders');
  RETURN NULL;
END $$;
CREATE TRIGGER disputes_tell AFTER INSERT OR UPDATE OF state ON disputes
  FOR EACH ROW EXECUTE FUNCTION tell_member_of_dispute();

-- A refund of a line leaves the order as it is, so the order tells nobody.
CREATE FUNCTION tell_member_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', o.user_id || ' orders')
  FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.id = NEW.payment_id;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_tell AFTER UPDATE OF status ON refunds FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_member_of_refund();

-- Captured money that bought no goods stands in an account of its own until it is refunded; in another currency, in an
-- account that names the currency.
INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id)
SELECT p.transfer_id, entry.account, entry.cents, p.id
FROM (
  SELECT p.*, gen_random_uuid() AS transfer_id, coalesce(':' || substring(p.last_error FROM '^captured in ([A-Z]{3})$'), '') AS currency_name,
    (SELECT greatest((array_agg(r.amount_cents ORDER BY r.created_at, r.id))[1], coalesce(sum(r.amount_cents) FILTER (WHERE r.status = 'completed'), 0))
      - coalesce(sum(r.amount_cents) FILTER (WHERE r.status = 'completed'), 0)
      FROM refunds r WHERE r.payment_id = p.id) AS rest
  FROM payments p WHERE p.status = 'mismatched') p
CROSS JOIN LATERAL (VALUES
  ('provider:' || p.provider || ':' || p.mode || p.currency_name, p.rest),
  ('unused' || p.currency_name, -p.rest)) entry (account, cents)
WHERE p.rest > 0;

-- How far the shop has read the provider's list of events.
CREATE TABLE event_replays (
  provider text PRIMARY KEY,
  read_until timestamptz NOT NULL
);
