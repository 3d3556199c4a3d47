-- Refunds that staff ask for in the browser: who asked, under which key (sent twice it is one refund) and for
-- what, and the provider's word when it refused.
ALTER TABLE refunds
  ADD COLUMN asked_by uuid REFERENCES users ON DELETE RESTRICT,
  ADD COLUMN ask_key text CHECK (length(ask_key) BETWEEN 1 AND 255),
  ADD COLUMN ask_hash text,
  ADD COLUMN refusal text CHECK (length(refusal) BETWEEN 1 AND 200),
  ADD CONSTRAINT refunds_asked_once UNIQUE (asked_by, ask_key),
  ADD CONSTRAINT refunds_key_is_somebodys CHECK ((ask_key IS NULL) = (ask_hash IS NULL) AND (ask_key IS NULL OR asked_by IS NOT NULL)),
  ADD CONSTRAINT refunds_refusal_ends CHECK (refusal IS NULL OR status = 'failed');
