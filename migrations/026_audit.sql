-- What people who run the shop did, append only. Who and about what are kept as ids: an account may be gone by then.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- null: the command line
  actor_id uuid,
  act text NOT NULL CHECK (act ~ '^[a-z]+\.[a-z_]+$' AND length(act) <= 60),
  subject_id text CHECK (length(subject_id) <= 200),
  -- names and texts, none of them of a person
  details jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(details) = 'object'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_act ON audit (split_part(act, '.', 1), id DESC);
CREATE INDEX audit_actor ON audit (actor_id, id DESC);
CREATE INDEX audit_subject ON audit (subject_id, id DESC);
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Budgets that all nodes share, for calls that guard money or passwords. A crash of the server may empty it: then
-- everybody has their whole budget again.
CREATE UNLOGGED TABLE shared_limits (
  -- a hash, so that no address stands here
  key text PRIMARY KEY,
  -- what can be forgiven together; a hash as well
  account text,
  -- when it is as if it had never been used
  full_at timestamptz NOT NULL
);
CREATE INDEX shared_limits_account ON shared_limits (account) WHERE account IS NOT NULL;
CREATE INDEX shared_limits_full ON shared_limits (full_at);
