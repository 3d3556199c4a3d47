-- Roles of staff, their working sessions, and the devices that an account has signed in with.

ALTER TABLE users DROP CONSTRAINT users_role_check,
  ADD CONSTRAINT users_role_check CHECK (role IN ('member', 'support', 'finance', 'admin'));

-- when staff last used a staff page with this session
ALTER TABLE sessions ADD COLUMN staff_used_at timestamptz;

-- Browsers that an account has signed in with, by a hash of their cookie.
CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  token_hash text NOT NULL CHECK (length(token_hash) = 43),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, token_hash)
);
