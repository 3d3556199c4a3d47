-- The tables of the stand-ins for outside services. A stand-in applies this file when it opens, so a shop without
-- stand-ins has none of them. Each statement may run again on a database that has its table.

-- nodes that start together create the tables one after the other
SELECT pg_advisory_xact_lock(7150002);

CREATE SCHEMA IF NOT EXISTS sandbox;

-- What the service knows: its orders, captures, refunds and saved wallets.
CREATE TABLE IF NOT EXISTS sandbox.records (
  kind text NOT NULL,
  id text NOT NULL,
  -- the order that a capture or refund belongs to; an order's own id
  order_id text,
  -- json and not jsonb: a repeated answer has the same bytes
  body json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS sandbox_records_order ON sandbox.records (order_id);
CREATE INDEX IF NOT EXISTS sandbox_records_created ON sandbox.records (kind, created_at);
-- an order is captured once, and an invoice is paid once
CREATE UNIQUE INDEX IF NOT EXISTS sandbox_one_capture ON sandbox.records (order_id)
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';
CREATE UNIQUE INDEX IF NOT EXISTS sandbox_one_invoice ON sandbox.records ((body->>'invoiceId'))
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';

-- Webhook events with the deliveries that are left. A failed delivery stays due.
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

-- Answers by request id, which makes a repeated request idempotent. Without a status the first request still runs.
CREATE TABLE IF NOT EXISTS sandbox.replays (
  request_id text NOT NULL,
  path text NOT NULL,
  status int,
  body text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (request_id, path)
);

-- Secrets and the faults that are set.
CREATE TABLE IF NOT EXISTS sandbox.keys (
  name text PRIMARY KEY,
  value text NOT NULL
);
