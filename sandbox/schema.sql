-- The tables of the sandboxes for outside services. A sandbox applies this file when it opens, so a shop without
-- sandboxes has no such tables. Every statement can run again.

-- Nodes that start together create the tables one at a time.
SELECT pg_advisory_xact_lock(7150002);

CREATE SCHEMA IF NOT EXISTS sandbox;

-- The objects of the service: orders, captures, refunds and saved wallets.
CREATE TABLE IF NOT EXISTS sandbox.records (
  kind text NOT NULL,
  id text NOT NULL,
  -- The order of a capture or refund. For an order, its own id.
  order_id text,
  -- `json` and not `jsonb`, because a repeated answer must have the same bytes.
  body json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS sandbox_records_order ON sandbox.records (order_id);
CREATE INDEX IF NOT EXISTS sandbox_records_created ON sandbox.records (kind, created_at);
CREATE UNIQUE INDEX IF NOT EXISTS sandbox_one_capture ON sandbox.records (order_id)
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';
CREATE UNIQUE INDEX IF NOT EXISTS sandbox_one_invoice ON sandbox.records ((body->>'invoiceId'))
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';

-- Webhook events with their number of outstanding deliveries. A failed delivery is retried.
CREATE TABLE IF NOT EXISTS sandbox.events (
  id text PRIMARY KEY,
  event_type text NOT NULL,
  resource_id text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deliveries_left int NOT NULL DEFAULT 1 CHECK (deliveries_left >= 0),
  attempts int NOT NULL DEFAULT 0,
  last_answer text
);
CREATE INDEX IF NOT EXISTS sandbox_events_due ON sandbox.events (due_at) WHERE deliveries_left > 0;
CREATE INDEX IF NOT EXISTS sandbox_events_created ON sandbox.events (created_at, id);

-- Answers by request id make a repeated request idempotent. Without a status, the first request is still running.
CREATE TABLE IF NOT EXISTS sandbox.replays (
  request_id text NOT NULL,
  path text NOT NULL,
  status int,
  body text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (request_id, path)
);

-- Secrets and active faults.
CREATE TABLE IF NOT EXISTS sandbox.keys (
  name text PRIMARY KEY,
  value text NOT NULL
);
