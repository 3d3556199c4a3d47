-- Expands: fees of providers are costs of the shop, and no payment moves them.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_names_payment;
-- the former constraint was stricter, so no entry needs a check
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_names_payment CHECK (
  payment_id IS NOT NULL OR account = 'bank' OR account ~ '^(credit|promotion|seller|payouts|provider|costs):') NOT VALID;

-- A fee in the report of a provider. The ledger contains it once.
CREATE TABLE provider_fees (
  provider text NOT NULL,
  mode text NOT NULL,
  -- the movement that the fee belongs to, or the fee's own
  ref text NOT NULL CHECK (length(ref) BETWEEN 1 AND 100),
  -- negative: the provider returned a fee
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  charged_at timestamptz NOT NULL,
  -- the transfer that books the fees of a report; there is none if they add up to zero
  transfer_id uuid NOT NULL,
  PRIMARY KEY (provider, mode, ref)
);
CREATE INDEX provider_fees_charged ON provider_fees (charged_at);
CREATE INDEX provider_fees_transfer ON provider_fees (transfer_id);
CREATE TRIGGER provider_fees_append_only BEFORE UPDATE OR DELETE ON provider_fees FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- When all fees of the day were booked. The report is read again until then.
ALTER TABLE reconciled_days ADD COLUMN fees_at timestamptz;
