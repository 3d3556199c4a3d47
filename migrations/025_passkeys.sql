-- Keys that sign in without a password. What is kept is public: a copied table signs nobody in.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- base64url, as the browser says it
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1400),
  public_key bytea NOT NULL,
  -- how often it has signed; stays 0 where a key is shared between devices
  counter bigint NOT NULL DEFAULT 0,
  -- usb, nfc, internal, hybrid ...: a hint for the browser, separated by commas
  transports text NOT NULL DEFAULT '',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);
