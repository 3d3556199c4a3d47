-- A refund that the buyer's bank returned after it was made: the money is the shop's to give again.

ALTER TABLE refunds ADD COLUMN bounced_at timestamptz;

ALTER TABLE credit_entries DROP CONSTRAINT credit_entries_kind_check;
ALTER TABLE credit_entries ADD CONSTRAINT credit_entries_kind_check
  CHECK (kind IN ('earned', 'spent', 'returned', 'refunded', 'taken_back', 'given', 'bounced')) NOT VALID;
ALTER TABLE credit_entries VALIDATE CONSTRAINT credit_entries_kind_check;
