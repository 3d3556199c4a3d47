-- How the shop looks for an account.

-- One row for all devices that follow the account. The last write wins.
CREATE TABLE preferences (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  theme text NOT NULL CHECK (theme IN ('royal-blue', 'silver', 'purple')),
  mode text NOT NULL CHECK (mode IN ('light', 'dark')),
  text_size int NOT NULL CHECK (text_size BETWEEN 100 AND 200),
  can_zoom boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
