-- Plumbing that every room uses.

-- Tables whose rows are history refuse changes.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;

-- The job workers of the running nodes. Each node holds the advisory lock `node_lock`; when the node dies, another node
-- gets that lock and unlocks the jobs of its workers.
CREATE TABLE job_workers (
  worker_id text PRIMARY KEY,
  node_lock bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Rate limits that all nodes share, for calls that guard money or passwords. Unlogged: after a crash of the database every
-- budget is full again.
CREATE UNLOGGED TABLE shared_limits (
  -- a hash, so that the table holds no addresses
  key text PRIMARY KEY,
  -- hash of the account whose limits can be reset together
  account text,
  -- when the whole budget is available again
  full_at timestamptz NOT NULL
);
CREATE INDEX shared_limits_account ON shared_limits (account) WHERE account IS NOT NULL;
CREATE INDEX shared_limits_full ON shared_limits (full_at);

-- Outgoing mail. The unique key makes sending idempotent; the row keeps the outcome, and the bodies are emptied once the
-- mail is sent or refused.
CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key text NOT NULL UNIQUE,
  recipient text NOT NULL,
  subject text NOT NULL,
  body_text text NOT NULL,
  body_html text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  error text,
  -- the mail server refused it permanently
  refused_at timestamptz,
  unsubscribe_url text
);
CREATE INDEX mails_created ON mails (created_at DESC);
CREATE INDEX mails_recipient ON mails (recipient, created_at DESC);
