-- Payments, refunds, the ledger, store credit, and the inbox of provider events. Money is in cents.

-- A saved way to pay: the provider keeps the instrument, the shop keeps its token.
CREATE TABLE wallets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  provider text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  vault_id text NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  -- a removed wallet is revoked at the provider too; its token stays until then
  revoked_at timestamptz,
  revocation_asked_at timestamptz,
  UNIQUE (provider, vault_id)
);
CREATE INDEX wallets_user ON wallets (user_id) WHERE removed_at IS NULL;
CREATE INDEX wallets_to_revoke ON wallets (removed_at) WHERE removed_at IS NOT NULL AND revoked_at IS NULL;

CREATE TABLE payments (
  -- also the request id at the provider
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
  -- the lease of the running capture; after it expires the reconciler looks the payment up at the provider
  lease_until timestamptz,
  -- part of the request id, so that a capture after a decline is a new request
  declines int NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- captures the provider declined: a late event about one of them says nothing about the next try
  declined_captures text[] NOT NULL DEFAULT '{}',
  UNIQUE (provider, provider_order_id),
  UNIQUE (provider, provider_capture_id),
  CHECK (status NOT IN ('captured', 'refunded', 'part_refunded') OR provider_capture_id IS NOT NULL)
);
CREATE INDEX payments_order ON payments (order_id);
-- an order is paid once: at most one of its payments is capturing or captured
CREATE UNIQUE INDEX payments_one_capture ON payments (order_id) WHERE status IN ('capturing', 'captured', 'refunded', 'part_refunded');
CREATE INDEX payments_open ON payments (updated_at) WHERE status IN ('creating', 'created', 'capturing', 'declined');
CREATE INDEX payments_part_refunded ON payments (order_id) WHERE status = 'part_refunded';

CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'completed', 'failed')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  provider_refund_id text UNIQUE,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- a refund from the staff page: who requested it, its idempotency key, and a hash of the request
  asked_by uuid REFERENCES users ON DELETE RESTRICT,
  ask_key text CHECK (length(ask_key) BETWEEN 1 AND 255),
  ask_hash text,
  -- the provider's reason for refusing
  refusal text CHECK (length(refusal) BETWEEN 1 AND 200),
  -- when the reconciler last enqueued it again; oldest first, so that a failing row does not block the queue
  taken_up_at timestamptz,
  CONSTRAINT refunds_asked_once UNIQUE (asked_by, ask_key),
  CONSTRAINT refunds_key_is_somebodys CHECK ((ask_key IS NULL) = (ask_hash IS NULL) AND (ask_key IS NULL OR asked_by IS NOT NULL)),
  CONSTRAINT refunds_refusal_ends CHECK (refusal IS NULL OR status = 'failed')
);
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_open ON refunds (created_at) WHERE status = 'requested';

-- Double entry, append only: the entries of a transfer sum to zero, checked at commit.
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transfer_id uuid NOT NULL,
  account text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  payment_id uuid REFERENCES payments ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- credit moves without a payment when staff give it, and when an order without a payment reserves it
  CONSTRAINT ledger_names_payment CHECK (payment_id IS NOT NULL OR account LIKE 'credit:%' OR account LIKE 'promotion:%')
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

-- Store credit: money the shop owes a customer. Every movement locks this row. The balance is the sum of the entries; it is
-- negative when a bonus was spent before its order was refunded. Later credit fills such a debt first.
CREATE TABLE credit_accounts (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  balance_cents bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES credit_accounts ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('earned', 'spent', 'returned', 'refunded', 'taken_back', 'given')),
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0 AND (amount_cents < 0) = (kind IN ('spent', 'taken_back'))),
  order_id uuid REFERENCES orders ON DELETE RESTRICT,
  -- the reason staff gave
  why text CHECK (length(why) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'given') = (order_id IS NULL)),
  CHECK ((kind = 'given') = (why IS NOT NULL))
);
CREATE INDEX credit_entries_user ON credit_entries (user_id, id DESC);
CREATE INDEX credit_entries_order ON credit_entries (order_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE ON credit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The bonus for an account's first purchase. The row stays after a refund, so a second purchase earns none; the payer's
-- hash is unique, so one payer earns one bonus on all accounts.
CREATE TABLE credit_bonuses (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  order_id uuid NOT NULL UNIQUE REFERENCES orders ON DELETE RESTRICT,
  payer text UNIQUE,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  taken_back_cents bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (taken_back_cents BETWEEN 0 AND amount_cents),
  CHECK (payer IS NULL OR amount_cents > 0)
);

-- Provider events, stored raw before they are acknowledged and processed by a job. The body is emptied after processing,
-- because it names the payer.
CREATE TABLE webhook_events (
  provider text NOT NULL,
  event_id text NOT NULL CHECK (length(event_id) <= 200),
  event_type text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  times_received int NOT NULL DEFAULT 1,
  processed_at timestamptz,
  error text,
  -- as refunds.taken_up_at
  taken_up_at timestamptz,
  PRIMARY KEY (provider, event_id)
);
CREATE INDEX webhook_events_received ON webhook_events (received_at DESC);
