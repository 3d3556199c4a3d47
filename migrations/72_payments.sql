-- Payments in USDC: an address for each payment, the transfers that a scanner read from the chain, how far it read, and what
-- staff decide. Units are millionths of a dollar, as the token counts; the ledger counts cents.

-- The next address of the operator's wallet. Index 0 is the test payment of the setup guide. A rolled back number stays unused.
CREATE SEQUENCE usdc_address_index MINVALUE 1;
-- the shop's role is granted tables only
GRANT USAGE ON SEQUENCE usdc_address_index TO PUBLIC;

CREATE TABLE usdc_addresses (
  -- with its checksum (EIP-55)
  address text PRIMARY KEY CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  derivation_index bigint NOT NULL CHECK (derivation_index >= 0),
  -- null: the test payment
  payment_id uuid UNIQUE REFERENCES payments ON DELETE RESTRICT,
  chain_id bigint NOT NULL,
  token text NOT NULL,
  -- what the payment asks for
  units bigint NOT NULL CHECK (units > 0),
  confirmations int NOT NULL CHECK (confirmations > 0),
  -- by the order's clock
  expires_at timestamptz NOT NULL,
  -- the shop stopped waiting for it: the buyer chose another method
  closed_at timestamptz,
  -- staff let a late payment complete its order
  accepted_at timestamptz,
  -- a transfer, the payment or a refund changed since the payment was leveled with the ledger
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
  -- by the chain's clock
  block_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  -- a reorganisation of the chain took it away
  removed_at timestamptz,
  UNIQUE (chain_id, tx_hash, log_index),
  CHECK (confirmed_at IS NULL OR removed_at IS NULL)
);
CREATE INDEX usdc_transfers_address ON usdc_transfers (address);
CREATE INDEX usdc_transfers_open ON usdc_transfers (chain_id) WHERE confirmed_at IS NULL AND removed_at IS NULL;
CREATE INDEX usdc_transfers_block ON usdc_transfers (chain_id, block_number);

-- How far the scanner read. It moves in the transaction that writes what was read.
CREATE TABLE usdc_cursors (
  chain_id bigint NOT NULL,
  token text NOT NULL,
  block_number bigint NOT NULL,
  -- counts the scans; a scan that started from an older one writes nothing
  version bigint NOT NULL DEFAULT 0,
  scanned_at timestamptz,
  lease_until timestamptz,
  -- why the scan stands still, and since when
  trouble text CHECK (length(trouble) <= 500),
  trouble_at timestamptz,
  -- staff have to look: the trouble is no short absence
  is_alarmed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (chain_id, token)
);

-- What no rule can settle: staff send money back, complete a late order, or bear a loss.
CREATE TABLE usdc_exceptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  -- the refund that it carries out
  refund_id uuid UNIQUE REFERENCES refunds ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('underpaid', 'overpaid', 'late', 'reorganised', 'refund')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- sent: staff named a transaction, which is not verified yet
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sent', 'done')),
  -- given by the buyer; with its checksum
  refund_address text CHECK (refund_address ~ '^0x[0-9a-fA-F]{40}$'),
  tx_hash text CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index int,
  -- what does not fit about the transaction
  problem text CHECK (length(problem) <= 300),
  resolution text CHECK (resolution IN ('returned', 'settled', 'recovered', 'written_off')),
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  CHECK ((refund_id IS NOT NULL) = (kind = 'refund')),
  CHECK ((state = 'done') = (resolution IS NOT NULL)),
  CHECK (state <> 'sent' OR (tx_hash IS NOT NULL AND refund_address IS NOT NULL)),
  -- one transfer returns the money of one exception
  UNIQUE (tx_hash, log_index)
);
CREATE UNIQUE INDEX usdc_exceptions_open ON usdc_exceptions (payment_id) WHERE state <> 'done' AND kind <> 'refund';
CREATE INDEX usdc_exceptions_payment ON usdc_exceptions (payment_id);
CREATE INDEX usdc_exceptions_state ON usdc_exceptions (state, created_at, id);

-- What the ledger holds of a payment changes with it and with its refunds.
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
