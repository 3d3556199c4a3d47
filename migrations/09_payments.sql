-- Payments, refunds, the ledger, store credit, earnings, payouts and disputes. Money is in cents.

-- A saved payment method: the provider stores the instrument, the shop stores its token.
CREATE TABLE wallets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  provider text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  vault_id text NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  -- a removed wallet is also revoked at the provider; its token remains until then
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
  -- lease of the running capture; after it expires, the reconciler queries the provider
  lease_until timestamptz,
  -- part of the request id, so that a capture after a decline is a new request
  declines int NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- captures that the provider declined: a late event about one does not decide the next attempt
  declined_captures text[] NOT NULL DEFAULT '{}',
  -- when the provider confirmed that the ended payment can receive no more money
  closed_at timestamptz,
  -- the card that paid, as the provider reports it: 'Visa ending in 4242'
  card text CHECK (length(card) BETWEEN 1 AND 60),
  UNIQUE (provider, provider_order_id),
  UNIQUE (provider, provider_capture_id),
  CHECK (status NOT IN ('captured', 'refunded', 'part_refunded') OR provider_capture_id IS NOT NULL)
);
CREATE INDEX payments_order ON payments (order_id);
-- an order is paid once: at most one of its payments is capturing or captured
CREATE UNIQUE INDEX payments_one_capture ON payments (order_id) WHERE status IN ('capturing', 'captured', 'refunded', 'part_refunded');
CREATE INDEX payments_open ON payments (updated_at) WHERE status IN ('creating', 'created', 'capturing', 'declined');
CREATE INDEX payments_part_refunded ON payments (order_id) WHERE status = 'part_refunded';
CREATE INDEX payments_capture_end ON payments (right(provider_capture_id, 8)) WHERE provider_capture_id IS NOT NULL;
CREATE INDEX payments_leased ON payments (lease_until) WHERE status = 'capturing';
-- ended payments that could still receive money
CREATE INDEX payments_to_close ON payments (provider, updated_at)
  WHERE status IN ('canceled', 'expired', 'failed') AND closed_at IS NULL AND provider_order_id IS NOT NULL;

CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'completed', 'failed')),
  amount_cents bigint NOT NULL,
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
  -- when the reconciler last enqueued it; oldest first, so that a failing row does not block the queue
  taken_up_at timestamptz,
  -- the part that returns as store credit; amount_cents is the part that the provider returns
  credit_cents bigint NOT NULL DEFAULT 0,
  -- the buyer refunded it without staff
  is_by_buyer boolean NOT NULL DEFAULT false,
  -- the member of staff who closed a refund whose outcome the provider does not report
  settled_by uuid REFERENCES users ON DELETE RESTRICT,
  -- the buyer's bank returned the money, so the shop owes it again
  bounced_at timestamptz,
  -- the store credit of a bounced refund was reclaimed, because staff paid the buyer by hand
  reclaimed_at timestamptz,
  -- less than the refund if the buyer had already spent a part of the credit
  reclaimed_cents bigint NOT NULL DEFAULT 0,
  CONSTRAINT refunds_asked_once UNIQUE (asked_by, ask_key),
  CONSTRAINT refunds_key_is_somebodys CHECK ((ask_key IS NULL) = (ask_hash IS NULL) AND (ask_key IS NULL OR asked_by IS NOT NULL)),
  CONSTRAINT refunds_refusal_ends CHECK (refusal IS NULL OR status = 'failed'),
  CONSTRAINT refunds_amount CHECK (amount_cents >= 0 AND credit_cents >= 0 AND amount_cents + credit_cents > 0),
  CONSTRAINT refunds_reclaimed_bounced CHECK (
    (reclaimed_at IS NULL) = (reclaimed_cents = 0) AND reclaimed_cents BETWEEN 0 AND amount_cents
    AND (reclaimed_at IS NULL OR bounced_at IS NOT NULL))
);
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_open ON refunds (created_at) WHERE status = 'requested';
ALTER TABLE invoices ADD FOREIGN KEY (refund_id) REFERENCES refunds ON DELETE RESTRICT;
CREATE TRIGGER refunds_hooks AFTER UPDATE OF status ON refunds FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status = 'completed') EXECUTE FUNCTION tell_hooks_of_refund();

-- Double entry, append only. The entries of a transfer sum to zero, which is checked at commit.
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transfer_id uuid NOT NULL,
  account text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  payment_id uuid REFERENCES payments ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ledger_names_payment CHECK (
    payment_id IS NOT NULL OR account = 'bank' OR account ~ '^(credit|promotion|seller|payouts|provider|costs):')
);
CREATE INDEX ledger_transfer ON ledger_entries (transfer_id);
CREATE INDEX ledger_payment ON ledger_entries (payment_id);
CREATE INDEX ledger_account_time ON ledger_entries (account, created_at) INCLUDE (amount_cents, payment_id);
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_cents) FROM ledger_entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'transfer % does not add up to zero', NEW.transfer_id;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_balances AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transfer();

-- Store credit: money that the shop owes a customer. Every movement locks this row. The balance is the sum of the
-- entries. It is negative if a bonus was spent before its order was refunded; later credit pays this debt first.
CREATE TABLE credit_accounts (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  balance_cents bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES credit_accounts ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('earned', 'spent', 'returned', 'refunded', 'taken_back', 'given', 'bounced', 'reclaimed')),
  amount_cents bigint NOT NULL,
  order_id uuid REFERENCES orders ON DELETE RESTRICT,
  -- the reason of staff
  why text CHECK (length(why) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'given') = (order_id IS NULL)),
  CHECK ((kind = 'given') = (why IS NOT NULL)),
  CHECK (amount_cents <> 0 AND (amount_cents < 0) = (kind IN ('spent', 'taken_back', 'reclaimed')))
);
CREATE INDEX credit_entries_user ON credit_entries (user_id, id DESC);
CREATE INDEX credit_entries_order ON credit_entries (order_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE ON credit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The bonus for an account's first purchase. The row remains after a refund, so a second purchase earns none. The hash
-- of the payer is unique, so a payer earns one bonus on all accounts.
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

-- Events of providers, stored unchanged before the shop acknowledges them. A job processes them. The body is cleared
-- after processing, because it contains the payer's name.
CREATE TABLE webhook_events (
  provider text NOT NULL,
  event_id text NOT NULL CHECK (length(event_id) <= 200),
  event_type text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  times_received int NOT NULL DEFAULT 1,
  processed_at timestamptz,
  error text,
  -- the payment of the event, if known. No foreign key, because it would wait for the payment's settlement
  payment_id uuid,
  -- when a job retries an unprocessed event; oldest first, so that a failing row does not block the queue
  due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, event_id)
);
CREATE INDEX webhook_events_received ON webhook_events (received_at DESC);
CREATE INDEX webhook_events_due ON webhook_events (due_at) WHERE processed_at IS NULL;

-- Leases the capture of a buyer's approved payment, unless a hold, a block or a line of codes forbids it. The second
-- statement sees rows committed while the first one waited. The lock of the order excludes risk decisions and other
-- payments.
CREATE FUNCTION lease_capture(buyer uuid, wanted_ref text, lease_end timestamptz) RETURNS SETOF payments LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM orders WHERE user_id = buyer
    AND id IN (SELECT order_id FROM payments WHERE provider_order_id = wanted_ref) FOR NO KEY UPDATE;
  RETURN QUERY UPDATE payments p SET status = 'capturing', lease_until = lease_end, updated_at = now()
  FROM orders o
  WHERE p.provider_order_id = wanted_ref AND p.status = 'created'
    AND o.id = p.order_id AND o.user_id = buyer AND o.status = 'pending'
    AND NOT EXISTS (SELECT FROM order_lines l WHERE l.order_id = o.id AND l.delivery = 'code')
    AND NOT EXISTS (SELECT FROM risk_holds h WHERE h.order_id = o.id AND h.state <> 'released')
    AND NOT EXISTS (SELECT FROM risk_blocks b WHERE b.lifted_at IS NULL AND b.expires_at > now()
      AND (b.kind, b.subject) IN (('account', o.user_id::text), ('network', (
        SELECT d.network FROM risk_decisions d WHERE d.order_id = o.id ORDER BY d.created_at DESC LIMIT 1))))
  RETURNING p.*;
END $$;

-- The earnings of a seller from a paid line: gross minus fee. Refunds return a part of both.
CREATE TABLE earnings (
  order_line_id uuid PRIMARY KEY REFERENCES order_lines ON DELETE RESTRICT,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- the amount that the buyer paid for the line
  gross_cents bigint NOT NULL CHECK (gross_cents >= 0),
  fee_cents bigint NOT NULL DEFAULT 0,
  -- the parts of gross and fee that refunds returned
  returned_cents bigint NOT NULL DEFAULT 0,
  returned_fee_cents bigint NOT NULL DEFAULT 0,
  earned_at timestamptz NOT NULL DEFAULT now(),
  -- the money is pending until this time
  available_at timestamptz NOT NULL DEFAULT now() + interval '7 days',
  -- number of copies that were refunded
  returned_quantity int NOT NULL DEFAULT 0 CHECK (returned_quantity >= 0),
  -- an open dispute makes the money pending until it ends
  is_disputed boolean NOT NULL DEFAULT false,
  CHECK (fee_cents BETWEEN 0 AND gross_cents),
  CHECK (returned_cents BETWEEN 0 AND gross_cents),
  CHECK (returned_fee_cents BETWEEN 0 AND fee_cents)
);
CREATE INDEX earnings_seller ON earnings (seller_id, earned_at DESC, order_line_id);
CREATE INDEX earnings_order ON earnings (order_id);
CREATE INDEX earnings_held ON earnings (seller_id, available_at);
CREATE INDEX earnings_returned ON earnings (seller_id, earned_at DESC, order_line_id) WHERE returned_cents > 0;
CREATE INDEX earnings_disputed ON earnings (seller_id, available_at) WHERE is_disputed;

-- One row per refund and seller of its order: the returned sales and the returned fee.
CREATE TABLE earning_returns (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  gross_cents bigint NOT NULL,
  fee_cents bigint NOT NULL,
  returned_at timestamptz NOT NULL DEFAULT now(),
  order_line_ids uuid[]
);
CREATE INDEX earning_returns_seller ON earning_returns (seller_id, returned_at);
CREATE INDEX earning_returns_order ON earning_returns (order_id);
CREATE TRIGGER earning_returns_append_only BEFORE UPDATE OR DELETE ON earning_returns FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER earning_returns_hooks AFTER INSERT ON earning_returns FOR EACH ROW EXECUTE FUNCTION tell_hooks_of_return();

-- Payouts to sellers: their bank or wallet details, each payout, and the batches in which payouts are sent.
CREATE TABLE payout_details (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  method text NOT NULL CHECK (method IN ('paypal', 'bank')),
  -- encrypted with SECRET for its owner
  sealed bytea NOT NULL,
  -- the details as the seller and staff see them: 'account ending 4410'
  label text NOT NULL CHECK (length(label) <= 200),
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- payouts are delayed after a change, so that the owner can object
  waits_until timestamptz,
  -- the provider or bank refused these details permanently; a change clears the reason
  rejection text CHECK (length(rejection) BETWEEN 1 AND 300),
  schedule text NOT NULL DEFAULT 'request' CHECK (schedule IN ('request', 'monthly')),
  -- the monthly payout is done up to the month of this time
  monthly_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payout_details_monthly ON payout_details (user_id) WHERE schedule = 'monthly';

CREATE TABLE payout_batches (
  -- also the batch's id at the provider
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  method text NOT NULL CHECK (method IN ('paypal', 'bank')),
  -- null: staff upload the file to the bank
  provider text,
  mode text CHECK (mode IN ('sandbox', 'live')),
  state text NOT NULL DEFAULT 'approved' CHECK (state IN ('approved', 'sent', 'refused', 'over')),
  provider_batch_id text,
  approved_by uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- time of the first request; the provider recognises the batch's id for 30 days from then
  first_sent_at timestamptz,
  -- lease of the process that sends the batch
  lease_until timestamptz,
  looked_at timestamptz,
  -- why the provider refused the batch, or why its outcome is unknown
  problem text CHECK (length(problem) <= 500),
  -- time of the first download of a file for the bank
  exported_at timestamptz,
  UNIQUE (provider, provider_batch_id),
  CHECK ((provider IS NULL) = (mode IS NULL))
);
CREATE INDEX payout_batches_newest ON payout_batches (created_at DESC, id DESC);
CREATE INDEX payout_batches_open ON payout_batches (looked_at) WHERE state IN ('approved', 'sent');

CREATE TABLE payouts (
  -- also the payout's id at the provider
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- requested: deducted from the balance, waits for staff. failed and returned: back in the balance
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'approved', 'processing', 'sent', 'failed', 'returned')),
  is_scheduled boolean NOT NULL DEFAULT false,
  batch_id uuid REFERENCES payout_batches ON DELETE RESTRICT,
  -- the details at the time of the approval
  method text CHECK (method IN ('paypal', 'bank')),
  label text,
  sealed bytea,
  provider_payout_id text,
  -- the reason of the provider or of staff
  reason text CHECK (length(reason) <= 300),
  cause text CHECK (cause IN ('details', 'shop')),
  created_at timestamptz NOT NULL DEFAULT now(),
  approved_at timestamptz,
  ended_at timestamptz,
  CHECK (state NOT IN ('approved', 'processing', 'sent') OR batch_id IS NOT NULL)
);
CREATE INDEX payouts_seller ON payouts (seller_id, created_at DESC, id DESC);
CREATE INDEX payouts_state ON payouts (state, created_at, id);
CREATE INDEX payouts_batch ON payouts (batch_id);

-- The ledger of a payout matches its state: no payout is sent without its money, and none returns twice.
CREATE FUNCTION check_payout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payout payouts;
BEGIN
  SELECT * INTO payout FROM payouts WHERE id = substr(NEW.account, 9)::uuid;
  IF payout.id IS NULL OR (SELECT sum(amount_cents) FROM ledger_entries WHERE account = NEW.account) <>
      (CASE WHEN payout.state IN ('requested', 'approved', 'processing') THEN -payout.amount_cents ELSE 0 END) THEN
    RAISE EXCEPTION 'the ledger of % does not fit its state', NEW.account;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_fits_payout AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.account ~ '^payouts:[0-9a-f-]{36}$') EXECUTE FUNCTION check_payout();

CREATE FUNCTION tell_hooks_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('payoutId', NEW.id, 'amount', dollars(NEW.amount_cents), 'currency', 'USD', 'method', NEW.method);
BEGIN
  PERFORM tell_hooks('payout.sent', NEW.seller_id, data);
  PERFORM tell_hooks('payout.sent', NULL, data || jsonb_build_object('sellerId', NEW.seller_id));
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_hooks AFTER UPDATE OF state ON payouts FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND NEW.state = 'sent') EXECUTE FUNCTION tell_hooks_of_payout();

-- The lines of a refund. A refund without lines is for a part of the whole order.
CREATE TABLE refund_lines (
  refund_id uuid NOT NULL REFERENCES refunds ON DELETE RESTRICT,
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  -- number of copies
  quantity int NOT NULL CHECK (quantity > 0),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  PRIMARY KEY (refund_id, order_line_id)
);
CREATE INDEX refund_lines_line ON refund_lines (order_line_id);

-- Payments that buyers dispute at the provider.
CREATE TABLE disputes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  provider text NOT NULL,
  provider_dispute_id text NOT NULL CHECK (length(provider_dispute_id) <= 200),
  state text NOT NULL CHECK (state IN ('needs_evidence', 'under_review', 'won', 'lost')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- the amount in the ledger's account of disputed money
  held_cents bigint NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  -- the provider's reason
  reason text NOT NULL CHECK (length(reason) <= 200),
  evidence_due_at timestamptz,
  opened_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  looked_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- the refund of a lost dispute
  refund_id uuid UNIQUE REFERENCES refunds ON DELETE RESTRICT,
  -- the evidence from staff; its id is the provider's idempotency key
  evidence_id uuid,
  evidence_note text CHECK (length(evidence_note) <= 2000),
  evidence_by uuid REFERENCES users ON DELETE RESTRICT,
  evidence_sent_at timestamptz,
  -- why the provider refused the evidence
  evidence_refusal text CHECK (length(evidence_refusal) <= 200),
  -- since when the provider reports that it does not know an open dispute
  missing_since timestamptz,
  -- the member of staff who decided the outcome of such a dispute
  settled_by uuid REFERENCES users ON DELETE RESTRICT,
  -- 'warning': a bank's question, moves no money. 'inquiry': buyer and shop negotiate, the provider holds the money
  stage text NOT NULL DEFAULT 'claim' CHECK (stage IN ('warning', 'inquiry', 'claim')),
  -- the amount that the buyer got back; null until the dispute is lost
  lost_cents bigint CHECK (lost_cents >= 0),
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
CREATE TRIGGER disputes_hooks AFTER INSERT ON disputes FOR EACH ROW
  WHEN (NEW.stage <> 'warning') EXECUTE FUNCTION tell_hooks_of_dispute();
CREATE TRIGGER disputes_change_hooks AFTER UPDATE OF stage, ended_at ON disputes FOR EACH ROW
  WHEN (NEW.stage <> 'warning' AND (OLD.stage = 'warning' OR (OLD.ended_at IS NULL) <> (NEW.ended_at IS NULL)))
  EXECUTE FUNCTION tell_hooks_of_dispute();

CREATE FUNCTION tell_member_of_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' orders');
  RETURN NULL;
END $$;
CREATE TRIGGER disputes_tell AFTER INSERT OR UPDATE OF state ON disputes
  FOR EACH ROW EXECUTE FUNCTION tell_member_of_dispute();

-- A refund of a line does not change the order, so the trigger on orders does not fire.
CREATE FUNCTION tell_member_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', o.user_id || ' orders')
  FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.id = NEW.payment_id;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_tell AFTER UPDATE OF status ON refunds FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_member_of_refund();

-- The position of the shop in the provider's list of events.
CREATE TABLE event_replays (
  provider text PRIMARY KEY,
  read_until timestamptz NOT NULL
);

-- The payment method that a member used last or chose as the default. Checkout offers it first.
CREATE TABLE method_choices (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL,
  -- the saved method; null for the provider's own page
  wallet_id uuid REFERENCES wallets ON DELETE RESTRICT,
  chosen_at timestamptz NOT NULL DEFAULT now()
);

-- Decisions that need a second member of staff: large payouts, and returns of payouts that the bank may have.
CREATE TABLE payout_confirmations (
  payout_id uuid NOT NULL REFERENCES payouts ON DELETE RESTRICT,
  -- the decision of the first member of staff
  act text NOT NULL CHECK (act IN ('approved', 'failed', 'returned')),
  staff_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (payout_id, act)
);
CREATE INDEX payout_confirmations_staff ON payout_confirmations (staff_id);

-- A fee in the report of a provider. The ledger books it once.
CREATE TABLE provider_fees (
  provider text NOT NULL,
  mode text NOT NULL,
  -- the movement of the fee, or the fee's own reference
  ref text NOT NULL CHECK (length(ref) BETWEEN 1 AND 100),
  -- negative: the provider returned a fee
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  charged_at timestamptz NOT NULL,
  -- the transfer that books the fees of a report; without entries if they add up to zero
  transfer_id uuid NOT NULL,
  PRIMARY KEY (provider, mode, ref)
);
CREATE INDEX provider_fees_charged ON provider_fees (charged_at);
CREATE INDEX provider_fees_transfer ON provider_fees (transfer_id);
CREATE TRIGGER provider_fees_append_only BEFORE UPDATE OR DELETE ON provider_fees FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Room: providers

-- The next address of the operator's wallet. Index 0 is the test payment of the setup guide. The shop's role has grants
-- only on tables, so the sequence needs its own grant.
CREATE SEQUENCE usdc_address_index MINVALUE 1;
GRANT USAGE ON SEQUENCE usdc_address_index TO PUBLIC;

CREATE TABLE usdc_addresses (
  -- with its checksum (EIP-55)
  address text PRIMARY KEY CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  derivation_index bigint NOT NULL CHECK (derivation_index >= 0),
  -- null: the test payment
  payment_id uuid UNIQUE REFERENCES payments ON DELETE RESTRICT,
  chain_id bigint NOT NULL,
  token text NOT NULL,
  -- the requested payment: amount and confirmations
  units bigint NOT NULL CHECK (units > 0),
  confirmations int NOT NULL CHECK (confirmations > 0),
  -- by the clock of the shop
  expires_at timestamptz NOT NULL,
  -- the buyer chose another method, so the shop does not wait for this payment
  closed_at timestamptz,
  -- staff accepted a late payment, which completes its order
  accepted_at timestamptz,
  -- a transfer, the payment or a refund changed after the last comparison with the ledger
  is_due boolean NOT NULL DEFAULT false,
  has_transfers boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((derivation_index = 0) = (payment_id IS NULL))
);
CREATE INDEX usdc_addresses_watched ON usdc_addresses (chain_id, token, created_at);
CREATE INDEX usdc_addresses_due ON usdc_addresses (payment_id) WHERE is_due;

CREATE TABLE usdc_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index int NOT NULL,
  address text NOT NULL REFERENCES usdc_addresses ON DELETE RESTRICT,
  sender text NOT NULL,
  units bigint NOT NULL CHECK (units > 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  -- by the clock of the chain
  block_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  -- a reorganisation of the chain removed it
  removed_at timestamptz,
  UNIQUE (chain_id, tx_hash, log_index),
  CHECK (confirmed_at IS NULL OR removed_at IS NULL)
);
CREATE INDEX usdc_transfers_address ON usdc_transfers (address);
CREATE INDEX usdc_transfers_open ON usdc_transfers (chain_id) WHERE confirmed_at IS NULL AND removed_at IS NULL;
CREATE INDEX usdc_transfers_block ON usdc_transfers (chain_id, block_number);

-- The position of the scanner. It advances in the transaction that writes the transfers.
CREATE TABLE usdc_cursors (
  chain_id bigint NOT NULL,
  token text NOT NULL,
  block_number bigint NOT NULL,
  -- counts the scans; a scan that started from an older version writes nothing
  version bigint NOT NULL DEFAULT 0,
  scanned_at timestamptz,
  lease_until timestamptz,
  -- why the scan has stopped, and since when
  trouble text CHECK (length(trouble) <= 500),
  trouble_at timestamptz,
  -- the problem lasts, so staff are alerted
  is_alarmed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (chain_id, token)
);

-- Payments that no rule can settle: staff return money, complete a late order, or accept a loss.
CREATE TABLE usdc_exceptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  -- the refund that this exception carries out
  refund_id uuid UNIQUE REFERENCES refunds ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('underpaid', 'overpaid', 'late', 'reorganised', 'refund')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- sent: staff entered a transaction that is not verified yet
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sent', 'done')),
  -- entered by the buyer; with its checksum
  refund_address text CHECK (refund_address ~ '^0x[0-9a-fA-F]{40}$'),
  tx_hash text CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index int,
  -- why the transaction does not match
  problem text CHECK (length(problem) <= 300),
  resolution text CHECK (resolution IN ('returned', 'settled', 'recovered', 'written_off')),
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  -- the buyer may correct the address until the money is sent; each address is delayed, so that the owner can object
  address_waits_until timestamptz,
  -- addresses to which staff may have sent the money just before the buyer changed them
  former_addresses text[] NOT NULL DEFAULT '{}',
  CHECK ((refund_id IS NOT NULL) = (kind = 'refund')),
  CHECK ((state = 'done') = (resolution IS NOT NULL)),
  CHECK (state <> 'sent' OR (tx_hash IS NOT NULL AND refund_address IS NOT NULL)),
  -- one transfer returns the money of only one exception
  UNIQUE (tx_hash, log_index)
);
CREATE UNIQUE INDEX usdc_exceptions_open ON usdc_exceptions (payment_id) WHERE state <> 'done' AND kind <> 'refund';
CREATE INDEX usdc_exceptions_payment ON usdc_exceptions (payment_id);
CREATE INDEX usdc_exceptions_state ON usdc_exceptions (state, created_at, id);

-- Marks a payment for comparison with the ledger when the payment or its refunds change.
CREATE FUNCTION level_usdc() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE usdc_addresses SET is_due = true
  WHERE payment_id = CASE TG_TABLE_NAME WHEN 'payments' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'payment_id')::uuid END AND NOT is_due;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_usdc AFTER UPDATE OF status ON payments FOR EACH ROW
  WHEN (NEW.provider = 'usdc') EXECUTE FUNCTION level_usdc();
CREATE TRIGGER refunds_usdc AFTER UPDATE OF status ON refunds FOR EACH ROW
  WHEN (NEW.status = 'completed') EXECUTE FUNCTION level_usdc();

-- Room: audit

-- The position of the hourly check of the ledger.
CREATE TABLE ledger_checks (
  -- the only row
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- the part of all orders that the next check reads: 0 to 23
  part int NOT NULL DEFAULT 0 CHECK (part BETWEEN 0 AND 23),
  -- the newest rows of the last two checks. The next check starts at the older one, because rows commit out of order
  event_id bigint NOT NULL DEFAULT 0,
  event_id_before bigint NOT NULL DEFAULT 0,
  entry_id bigint NOT NULL DEFAULT 0,
  entry_id_before bigint NOT NULL DEFAULT 0,
  checked_at timestamptz,
  took_ms int
);
INSERT INTO ledger_checks DEFAULT VALUES;

-- Violations that the check found.
CREATE TABLE ledger_breaches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  rule text NOT NULL,
  scope text NOT NULL,
  -- the order, member, transfer or code with the violation. For a rule about the whole shop: the row in its sentence
  subject uuid NOT NULL,
  violation text NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- set for a difference to a provider's report, whose scope is 'report'
  provider text,
  day date
);
CREATE UNIQUE INDEX ledger_breaches_open ON ledger_breaches (rule, scope, subject) WHERE ended_at IS NULL;

-- The comparison of each day of a provider's report with the ledger.
CREATE TABLE reconciled_days (
  provider text NOT NULL,
  -- in UTC
  day date NOT NULL,
  looked_at timestamptz,
  -- null until the report could be read
  compared_at timestamptz,
  -- when all fees of the day were booked; until then, the report is read again
  fees_at timestamptz,
  PRIMARY KEY (provider, day)
);
