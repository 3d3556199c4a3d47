-- Each day of each provider's report against the books, and disputes that a provider forgot.

CREATE TABLE reconciled_days (
  provider text NOT NULL,
  -- in UTC
  day date NOT NULL,
  looked_at timestamptz,
  -- null while the report could not be read
  compared_at timestamptz,
  PRIMARY KEY (provider, day)
);

-- of a difference to a provider's report, whose scope is 'report'
ALTER TABLE ledger_breaches ADD COLUMN provider text, ADD COLUMN day date;

-- since when the provider answers that it does not know an open dispute
ALTER TABLE disputes ADD COLUMN missing_since timestamptz,
  -- the staff member who said how such a dispute ended
  ADD COLUMN settled_by uuid REFERENCES users ON DELETE RESTRICT;
