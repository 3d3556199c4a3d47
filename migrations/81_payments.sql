-- The hourly check of the ledger: where it stands, and the breaches that it found.

CREATE TABLE ledger_checks (
  -- one row
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- the part of all orders that the next check looks at: 0 to 23
  part int NOT NULL DEFAULT 0 CHECK (part BETWEEN 0 AND 23),
  -- what the last check and the one before it had seen; the next one begins at the earlier, because rows commit out of order
  event_id bigint NOT NULL DEFAULT 0,
  event_id_before bigint NOT NULL DEFAULT 0,
  entry_id bigint NOT NULL DEFAULT 0,
  entry_id_before bigint NOT NULL DEFAULT 0,
  checked_at timestamptz,
  took_ms int
);
-- an older store is checked part by part, not at once
INSERT INTO ledger_checks (event_id, event_id_before, entry_id, entry_id_before)
SELECT e, e, l, l FROM (SELECT coalesce(max(id), 0) AS e FROM order_events) events, (SELECT coalesce(max(id), 0) AS l FROM ledger_entries) entries;

CREATE TABLE ledger_breaches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  rule text NOT NULL,
  scope text NOT NULL,
  -- the order, member, transfer or code; of a rule on the whole shop what its sentence names
  subject uuid NOT NULL,
  violation text NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX ledger_breaches_open ON ledger_breaches (rule, scope, subject) WHERE ended_at IS NULL;
