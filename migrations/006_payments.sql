-- A saved way to pay: the provider keeps the instrument, we keep its token.
CREATE TABLE wallets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  provider text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  vault_id text NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  UNIQUE (provider, vault_id)
);
CREATE INDEX wallets_user ON wallets (user_id) WHERE removed_at IS NULL;

CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  provider text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  status text NOT NULL DEFAULT 'creating' CHECK (status IN
    ('creating', 'created', 'capturing', 'captured', 'declined', 'canceled', 'expired', 'failed', 'mismatched', 'refunded', 'part_refunded')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL DEFAULT 'USD' CHECK (currency = 'USD'),
  provider_order_id text,
  provider_capture_id text,
  wallet_id uuid REFERENCES wallets ON DELETE RESTRICT,
  -- while a capture is under way nobody else starts one; after this time the reconciler asks the provider
  lease_until timestamptz,
  -- each decline makes the next capture a new request at the provider
  declines int NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, provider_order_id),
  UNIQUE (provider, provider_capture_id),
  CHECK (status NOT IN ('captured', 'refunded', 'part_refunded') OR provider_capture_id IS NOT NULL)
);
CREATE INDEX payments_order ON payments (order_id);
-- an order is paid once: at most one payment of it may be under capture or captured
CREATE UNIQUE INDEX payments_one_capture ON payments (order_id) WHERE status IN ('capturing', 'captured', 'refunded', 'part_refunded');
CREATE INDEX payments_open ON payments (updated_at) WHERE status IN ('creating', 'created', 'capturing', 'declined');

CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'completed', 'failed')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  provider_refund_id text UNIQUE,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_open ON refunds (created_at) WHERE status = 'requested';

-- Double entry: the entries of one transfer add up to zero. Checked when the transaction commits.
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transfer_id uuid NOT NULL,
  account text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ledger_transfer ON ledger_entries (transfer_id);
CREATE INDEX ledger_account ON ledger_entries (account);
CREATE INDEX ledger_payment ON ledger_entries (payment_id);
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_cents) FROM ledger_entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'transfer % does not add up to zero', NEW.transfer_id;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_balances AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transfer();

-- Inbox of provider events: stored raw before they are acknowledged, worked off by a job.
CREATE TABLE webhook_events (
  provider text NOT NULL,
  event_id text NOT NULL CHECK (length(event_id) <= 200),
  event_type text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  times_received int NOT NULL DEFAULT 1,
  processed_at timestamptz,
  error text,
  PRIMARY KEY (provider, event_id)
);
