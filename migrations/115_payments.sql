-- The store credit of a refund that a bank returned, taken back because staff paid the buyer by hand too.
ALTER TABLE refunds
  ADD COLUMN reclaimed_at timestamptz,
  -- less than the refund when the buyer had spent some of the credit
  ADD COLUMN reclaimed_cents bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT refunds_reclaimed_bounced CHECK (
    (reclaimed_at IS NULL) = (reclaimed_cents = 0) AND reclaimed_cents BETWEEN 0 AND amount_cents
    AND (reclaimed_at IS NULL OR bounced_at IS NOT NULL));

ALTER TABLE credit_entries DROP CONSTRAINT credit_entries_kind_check, DROP CONSTRAINT credit_entries_check;
ALTER TABLE credit_entries
  ADD CONSTRAINT credit_entries_kind_check
    CHECK (kind IN ('earned', 'spent', 'returned', 'refunded', 'taken_back', 'given', 'bounced', 'reclaimed')) NOT VALID,
  ADD CONSTRAINT credit_entries_check
    CHECK (amount_cents <> 0 AND (amount_cents < 0) = (kind IN ('spent', 'taken_back', 'reclaimed'))) NOT VALID;
ALTER TABLE credit_entries VALIDATE CONSTRAINT credit_entries_kind_check;
ALTER TABLE credit_entries VALIDATE CONSTRAINT credit_entries_check;
