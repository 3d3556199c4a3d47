-- A second member of staff for large payouts, and for money that returns although the bank may have its file.

CREATE TABLE payout_confirmations (
  payout_id uuid NOT NULL REFERENCES payouts ON DELETE RESTRICT,
  -- what the first member of staff decided
  act text NOT NULL CHECK (act IN ('approved', 'failed', 'returned')),
  staff_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (payout_id, act)
);
CREATE INDEX payout_confirmations_staff ON payout_confirmations (staff_id);

-- the first download of a file for the bank
ALTER TABLE payout_batches ADD COLUMN exported_at timestamptz;
UPDATE payout_batches b SET exported_at = created_at
WHERE EXISTS (SELECT FROM audit a WHERE a.act = 'payout.exported' AND a.subject_id = b.id::text);
