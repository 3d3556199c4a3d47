-- Payouts to sellers: where they go, each payout, and the batches in which they are sent.

CREATE TABLE payout_details (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  method text NOT NULL CHECK (method IN ('paypal', 'bank')),
  -- sealed under SECRET for its owner
  sealed bytea NOT NULL,
  -- what the seller and staff see of it: 'account ending 4410'
  label text NOT NULL CHECK (length(label) <= 200),
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- payouts wait for a while after a change, so that the owner can object
  waits_until timestamptz,
  -- the provider or bank refused these details for good; a change clears it
  rejection text CHECK (length(rejection) BETWEEN 1 AND 300),
  schedule text NOT NULL DEFAULT 'request' CHECK (schedule IN ('request', 'monthly')),
  -- the payout of this instant's month is done
  monthly_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payout_details_monthly ON payout_details (user_id) WHERE schedule = 'monthly';

CREATE TABLE payout_batches (
  -- also the batch's id at the provider
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  method text NOT NULL CHECK (method IN ('paypal', 'bank')),
  -- null: staff send the file to the bank
  provider text,
  mode text CHECK (mode IN ('sandbox', 'live')),
  state text NOT NULL DEFAULT 'approved' CHECK (state IN ('approved', 'sent', 'refused', 'over')),
  provider_batch_id text,
  approved_by uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- of the first request; the provider knows the batch's id for 30 days from then
  first_sent_at timestamptz,
  -- one caller is sending it
  lease_until timestamptz,
  looked_at timestamptz,
  -- what the provider said against it, or why its fate is unknown
  problem text CHECK (length(problem) <= 500),
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
  -- requested: taken from the balance, waits for staff. failed and returned: in the balance again
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'approved', 'processing', 'sent', 'failed', 'returned')),
  is_scheduled boolean NOT NULL DEFAULT false,
  batch_id uuid REFERENCES payout_batches ON DELETE RESTRICT,
  -- the details of the moment at which it was approved
  method text CHECK (method IN ('paypal', 'bank')),
  label text,
  sealed bytea,
  provider_payout_id text,
  -- the provider's word or a reason of staff
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

-- Money that is on its way to a seller stands in the account of its payout. No payment moves it.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_names_payment;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_names_payment CHECK (
  payment_id IS NOT NULL OR account = 'bank' OR account ~ '^(credit|promotion|seller|payouts|provider):');

-- Whatever a program believes: no payout is on its way with less than its money, and none comes back twice.
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
