-- Stock of codes: oldest first, expiry dates, one code once in the whole shop, and who waits for more.

-- what a new product of the category sells; its seller may choose another kind
ALTER TABLE categories ADD COLUMN delivery text NOT NULL DEFAULT 'file' CHECK (delivery IN ('file', 'code', 'license'));
UPDATE categories SET delivery = 'code' WHERE id = 'gift-cards';

ALTER TABLE codes
  -- the order of arrival
  ADD COLUMN position bigint GENERATED ALWAYS AS IDENTITY,
  -- not sold from this moment on
  ADD COLUMN expires_at timestamptz,
  -- the buyer's own note that it was spent
  ADD COLUMN used_at timestamptz,
  DROP CONSTRAINT codes_state_check,
  ADD CONSTRAINT codes_state_check CHECK (state IN ('free', 'held', 'sold', 'void', 'expired')),
  DROP CONSTRAINT codes_product_id_fingerprint_key;
-- an earlier version took one code for two products: the later one is not sold, and keeps its row under a fingerprint of its own
UPDATE codes c SET fingerprint = c.fingerprint || ' ' || c.id, state = CASE c.state WHEN 'free' THEN 'void' ELSE c.state END
  WHERE EXISTS (SELECT FROM codes o WHERE o.fingerprint = c.fingerprint AND (o.created_at, o.id) < (c.created_at, c.id));
DROP INDEX codes_free;

UPDATE products p SET is_out_of_stock = true
  WHERE delivery = 'code' AND NOT EXISTS (SELECT FROM codes c WHERE c.product_id = p.id AND c.state = 'free');

-- What members listed on a day. A list tells whether a code is in the shop, so guesses at the codes of others are counted.
CREATE TABLE code_lists (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  lines bigint NOT NULL,
  -- codes of other sellers that were among them
  of_others int NOT NULL,
  PRIMARY KEY (user_id, day)
);

-- When the seller wants to hear that a product runs low; without a row at 5 codes.
CREATE TABLE stock_limits (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  low_at int NOT NULL CHECK (low_at BETWEEN 0 AND 10000)
);

-- Members who want to hear when a product is back in stock. A row ends with its notice.
CREATE TABLE stock_waits (
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (product_id, user_id)
);
CREATE INDEX stock_waits_user ON stock_waits (user_id);
