-- The second step of signing in: a shared secret with an authenticator app. Until it is confirmed it guards nothing.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- sealed with a key made from SECRET: a copied table makes no codes
  sealed_secret text NOT NULL,
  confirmed_at timestamptz,
  -- the half minute of the newest code that was taken: none up to it is taken again
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Each signs in once, when the app is out of reach.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  code_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, code_hash)
);

-- Browsers that need not ask for the second step for a while.
CREATE TABLE trusted_browsers (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX trusted_browsers_user ON trusted_browsers (user_id);
