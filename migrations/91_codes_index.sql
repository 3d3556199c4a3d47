-- One by one: one code once in the whole shop, the oldest that is for sale, those whose last day comes, and the seller's list.
CREATE UNIQUE INDEX codes_fingerprint ON codes (fingerprint);
CREATE UNIQUE INDEX codes_position ON codes (position);
CREATE INDEX codes_free ON codes (product_id, position) WHERE state = 'free';
CREATE INDEX codes_expiring ON codes (expires_at) WHERE state = 'free' AND expires_at IS NOT NULL;
CREATE INDEX codes_product ON codes (product_id, position DESC);
