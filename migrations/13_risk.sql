-- Purchase risk: hints from browsers, decisions, holds and blocks. Each decision stores its facts, so that staff can
-- try other weights on them.

-- Observations of browsers. A browser can send anything, so hints alone never cause a refusal.
CREATE TABLE risk_hints (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- chosen by the browser, to deduplicate an event that is sent twice
  event_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('payment_fraud', 'multiple_attempts', 'suspicious_activity', 'bot_detected', 'unusual_location')),
  severity text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  description text NOT NULL CHECK (length(description) <= 300),
  route text NOT NULL CHECK (length(route) <= 200),
  user_agent text NOT NULL CHECK (length(user_agent) <= 300),
  timezone text NOT NULL CHECK (length(timezone) <= 60),
  screen text NOT NULL CHECK (length(screen) <= 30),
  received_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, event_id)
);
CREATE INDEX risk_hints_user ON risk_hints (user_id, received_at DESC);
CREATE INDEX risk_hints_age ON risk_hints (received_at);

-- Decisions about purchases, with the facts behind them.
CREATE TABLE risk_decisions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- 'start': before the provider is called; 'paid': after the capture and before delivery
  stage text NOT NULL CHECK (stage IN ('start', 'paid')),
  decision text NOT NULL CHECK (decision IN ('allow', 'step_up', 'hold', 'refuse')),
  score int NOT NULL CHECK (score BETWEEN 0 AND 100),
  reasons jsonb NOT NULL,
  facts jsonb NOT NULL,
  -- 0: the built-in weights
  weights_version int NOT NULL,
  -- keyed hashes of the address's network and of the payer's account at the provider
  network text,
  instrument text,
  country text CHECK (country ~ '^[A-Z]{2}$'),
  -- the cash-like product that a new account buys most
  rush_product_id uuid REFERENCES products ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_decisions_order ON risk_decisions (order_id, created_at DESC);
CREATE INDEX risk_decisions_newest ON risk_decisions (created_at DESC);
CREATE INDEX risk_decisions_network ON risk_decisions (network, created_at DESC) WHERE network IS NOT NULL;
CREATE INDEX risk_decisions_instrument ON risk_decisions (instrument, created_at DESC) WHERE instrument IS NOT NULL;
CREATE INDEX risk_decisions_rush ON risk_decisions (rush_product_id, created_at DESC) WHERE rush_product_id IS NOT NULL;

-- A purchase on hold: it waits for the buyer's confirmation before payment, or for a review by staff before delivery.
CREATE TABLE risk_holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('step_up', 'hold')),
  decision_id uuid NOT NULL REFERENCES risk_decisions ON DELETE RESTRICT,
  -- the captured payment whose goods are withheld
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
CREATE INDEX risk_holds_decision ON risk_holds (decision_id);

-- Captures that the provider declined. A row without an instrument counts as an attempt, not as a different instrument.
CREATE TABLE risk_declines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  instrument text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_declines_user ON risk_declines (user_id, created_at DESC);

-- Blocks of accounts and networks. Every block ends within 90 days.
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
-- for each purchase after declines, which reads when a block of the account was last lifted
CREATE INDEX risk_blocks_lifted ON risk_blocks (kind, subject) WHERE lifted_at IS NOT NULL;

-- Weights set by staff; the newest version applies.
CREATE TABLE risk_weights (
  version int PRIMARY KEY CHECK (version > 0),
  weights jsonb NOT NULL,
  made_by uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER risk_weights_append_only BEFORE UPDATE OR DELETE ON risk_weights FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Decisions may be deleted once no rule and no dispute can need them.
CREATE FUNCTION refuse_change_but_ageing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.created_at < now() - interval '180 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER risk_decisions_append_only BEFORE UPDATE OR DELETE ON risk_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_ageing();
