-- Display preferences of an account.

-- One row for all devices that use the account's preferences. The last write wins.
CREATE TABLE preferences (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  theme text NOT NULL CHECK (theme IN ('royal-blue', 'silver', 'purple')),
  mode text NOT NULL CHECK (mode IN ('light', 'dark')),
  text_size int NOT NULL CHECK (text_size BETWEEN 100 AND 200),
  can_zoom boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
