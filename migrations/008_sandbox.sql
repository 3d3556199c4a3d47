-- The payment sandbox's own books: what the provider would know. Only the sandbox reads or writes here.
CREATE SCHEMA sandbox;

CREATE TABLE sandbox.records (
  kind text NOT NULL CHECK (kind IN ('order', 'capture', 'refund', 'setup_token', 'payment_token')),
  id text NOT NULL,
  -- the order that a capture or refund belongs to; an order's own id
  order_id text,
  -- json and not jsonb: a repeated answer reads the same to the letter
  body json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, id),
  CHECK ((kind IN ('order', 'capture', 'refund')) = (order_id IS NOT NULL))
);
CREATE INDEX sandbox_records_order ON sandbox.records (order_id);
CREATE INDEX sandbox_records_created ON sandbox.records (kind, created_at);
-- money is taken once for an order, and once for an invoice
CREATE UNIQUE INDEX sandbox_one_capture ON sandbox.records (order_id)
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';
CREATE UNIQUE INDEX sandbox_one_invoice ON sandbox.records ((body->>'invoiceId'))
  WHERE kind = 'capture' AND body->>'status' <> 'DECLINED';

-- Webhook events, each with what is left to deliver; a delivery that fails stays due.
CREATE TABLE sandbox.events (
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
CREATE INDEX sandbox_events_due ON sandbox.events (due_at) WHERE deliveries_left > 0;
CREATE INDEX sandbox_events_created ON sandbox.events (created_at, id);

-- Answers remembered by request id, so that a repeated request has no second effect. Without a status: under way.
CREATE TABLE sandbox.replays (
  request_id text NOT NULL,
  path text NOT NULL,
  status int,
  body text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (request_id, path)
);

CREATE TABLE sandbox.keys (
  name text PRIMARY KEY,
  value text NOT NULL
);
