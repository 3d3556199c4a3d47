-- What the shop thinks of a purchase, from its own facts. Every decision keeps its facts, so that other weights can be tried on it.
CREATE TABLE risk_decisions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- before the provider is asked, or after it has captured and before anything is delivered
  stage text NOT NULL CHECK (stage IN ('start', 'paid')),
  decision text NOT NULL CHECK (decision IN ('allow', 'step_up', 'hold', 'refuse')),
  score int NOT NULL CHECK (score BETWEEN 0 AND 100),
  reasons jsonb NOT NULL,
  facts jsonb NOT NULL,
  -- 0 are the weights that the shop came with
  weights_version int NOT NULL,
  -- keyed hashes: of the address cut to a network, and of the payer's account at the provider
  network text,
  instrument text,
  country text CHECK (country ~ '^[A-Z]{2}$'),
  -- what a new account wants most of, when that is as good as cash
  rush_product_id uuid REFERENCES products ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_decisions_order ON risk_decisions (order_id, created_at DESC);
CREATE INDEX risk_decisions_newest ON risk_decisions (created_at DESC);
CREATE INDEX risk_decisions_network ON risk_decisions (network, created_at DESC) WHERE network IS NOT NULL;
CREATE INDEX risk_decisions_instrument ON risk_decisions (instrument, created_at DESC) WHERE instrument IS NOT NULL;
CREATE INDEX risk_decisions_rush ON risk_decisions (rush_product_id, created_at DESC) WHERE rush_product_id IS NOT NULL;
CREATE TRIGGER risk_decisions_append_only BEFORE UPDATE OR DELETE ON risk_decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A purchase that waits: for its buyer's confirmation before it is paid, or for a second look before it is delivered.
CREATE TABLE risk_holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('step_up', 'hold')),
  decision_id uuid NOT NULL REFERENCES risk_decisions ON DELETE RESTRICT,
  -- the captured payment whose goods wait
  payment_id uuid REFERENCES payments ON DELETE RESTRICT,
  is_cleared_by_confirming boolean NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'released', 'refused')),
  resolved_how text CHECK (resolved_how IN ('confirmed', 'approved', 'refused', 'expired')),
  resolved_by uuid REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  resolved_at timestamptz,
  UNIQUE (order_id, kind),
  CHECK (ends_at > created_at),
  CHECK ((kind = 'hold') = (payment_id IS NOT NULL)),
  CHECK ((state = 'open') = (resolved_at IS NULL) AND (state = 'open') = (resolved_how IS NULL))
);
CREATE INDEX risk_holds_open ON risk_holds (ends_at) WHERE state = 'open';
CREATE INDEX risk_holds_user ON risk_holds (user_id, resolved_at) WHERE resolved_how = 'confirmed';

-- Captures that the provider refused. One without an instrument counts as a try, not as another instrument.
CREATE TABLE risk_declines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  instrument text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_declines_user ON risk_declines (user_id, created_at DESC);

-- A block always ends: there is none without its end, and none longer than 90 days.
CREATE TABLE risk_blocks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('account', 'network')),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 100),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  made_by uuid REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  lifted_at timestamptz,
  lifted_by uuid REFERENCES users ON DELETE RESTRICT,
  CHECK (expires_at > created_at AND expires_at <= created_at + interval '90 days')
);
CREATE INDEX risk_blocks_subject ON risk_blocks (kind, subject, expires_at) WHERE lifted_at IS NULL;

CREATE TABLE risk_weights (
  version int PRIMARY KEY CHECK (version > 0),
  weights jsonb NOT NULL,
  made_by uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER risk_weights_append_only BEFORE UPDATE OR DELETE ON risk_weights FOR EACH ROW EXECUTE FUNCTION refuse_change();
