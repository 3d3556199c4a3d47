-- Requests for a review, at most one for each buyer and product. The first use of bought goods adds the row.
CREATE TABLE review_requests (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- the product that has the page, not a variant
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  used_at timestamptz NOT NULL,
  -- skipped: the buyer was not asked and never will be; dismissed: the buyer closed the request
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'skipped', 'asked', 'dismissed')),
  asked_at timestamptz,
  PRIMARY KEY (user_id, product_id),
  CHECK ((asked_at IS NULL) = (state IN ('waiting', 'skipped')))
);
CREATE INDEX review_requests_due ON review_requests (used_at) WHERE state = 'waiting';
CREATE INDEX review_requests_product ON review_requests (product_id);

-- Uses of gifts and of own products cause no request.
CREATE FUNCTION note_first_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO review_requests (user_id, product_id, used_at)
    SELECT NEW.user_id, coalesce(p.variant_of, p.id), NEW.created_at
    FROM entitlements e JOIN products p ON p.id = e.product_id
    WHERE e.id = NEW.entitlement_id AND e.user_id = NEW.user_id AND NOT e.is_gift AND p.seller_id <> NEW.user_id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_events_used AFTER INSERT ON delivery_events FOR EACH ROW
  WHEN (NEW.kind <> 'deactivate') EXECUTE FUNCTION note_first_use();

-- Room: identity

ALTER TABLE users ADD COLUMN wants_review_requests boolean NOT NULL DEFAULT true,
  ADD COLUMN wants_review_mails boolean NOT NULL DEFAULT false;
