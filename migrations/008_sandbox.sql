-- The payment sandbox's own books: what the provider would know. Only the sandbox reads or writes here.
CREATE SCHEMA sandbox;
CREATE TABLE sandbox.records (
  kind text NOT NULL CHECK (kind IN ('order', 'capture', 'refund', 'setup_token', 'payment_token', 'event')),
  id text NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, id)
);
CREATE INDEX sandbox_records_created ON sandbox.records (kind, created_at);
-- answers remembered by request id, so that a repeated request has no second effect
CREATE TABLE sandbox.replays (
  request_id text NOT NULL,
  path text NOT NULL,
  status int NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (request_id, path)
);
CREATE TABLE sandbox.keys (
  name text PRIMARY KEY,
  value text NOT NULL
);
