-- Licence keys: the terms that a seller chooses, the tokens of their software, the keys that were sold, and the devices they run on.

-- Without a row, the shop's own terms hold. A change is for keys that are sold later.
CREATE TABLE license_terms (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  prefix text NOT NULL CHECK (prefix ~ '^[A-Z]{2,8}$'),
  devices_per_seat int NOT NULL CHECK (devices_per_seat BETWEEN 1 AND 100),
  -- days after the purchase; null for keys that do not expire
  valid_days int CHECK (valid_days BETWEEN 1 AND 3650)
);
-- The page of a product says what its key is good for, and every node caches it.
CREATE TRIGGER license_terms_tell AFTER INSERT OR UPDATE OR DELETE ON license_terms FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

-- What software of the seller signs its calls with. Only a hash is kept.
CREATE TABLE license_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  -- the last characters, by which the seller knows it
  ending text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_on date
);
CREATE INDEX license_tokens_product ON license_tokens (product_id, created_at);

-- One key for each line. Its seats are the copies that were not refunded.
CREATE TABLE licenses (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_line_id uuid NOT NULL UNIQUE REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  -- sealed under SECRET; the keyed hash finds a key that software sends
  ciphertext bytea NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  ending text NOT NULL,
  seats int NOT NULL CHECK (seats >= 0),
  devices_per_seat int NOT NULL CHECK (devices_per_seat BETWEEN 1 AND 100),
  expires_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text CHECK (length(revoke_reason) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
);
CREATE INDEX licenses_product ON licenses (product_id, created_at DESC, id DESC);
CREATE INDEX licenses_user ON licenses (user_id);

-- The devices of a key. A removed device leaves no row.
CREATE TABLE license_devices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  license_id uuid NOT NULL REFERENCES licenses ON DELETE RESTRICT,
  fingerprint_hash bytea NOT NULL,
  name text NOT NULL CHECK (length(name) <= 100),
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- the end of the newest licence file
  file_until timestamptz,
  UNIQUE (license_id, fingerprint_hash)
);
