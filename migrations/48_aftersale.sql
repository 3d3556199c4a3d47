-- What sellers add to the case of a dispute. Staff read it before they answer the provider.
CREATE TABLE dispute_facts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  dispute_id uuid NOT NULL REFERENCES disputes ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 2000),
  -- copies of the deliveries that the seller points to
  deliveries jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(deliveries) = 'array'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX dispute_facts_dispute ON dispute_facts (dispute_id, created_at);
CREATE INDEX dispute_facts_seller ON dispute_facts (seller_id);
