-- How the shop looks for an account, on every device that follows it; the last write wins.
CREATE TABLE preferences (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  theme text NOT NULL CHECK (theme IN ('royal-blue', 'silver', 'purple')),
  mode text NOT NULL CHECK (mode IN ('light', 'dark')),
  text_size int NOT NULL CHECK (text_size BETWEEN 100 AND 200),
  can_zoom boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What the account wants to be written to about. Receipts are no choice: they belong to the purchase.
ALTER TABLE users ADD COLUMN wants_news boolean NOT NULL DEFAULT false;

-- The picture of a profile is an upload, made small and re-encoded like those of products.
ALTER TABLE users ADD COLUMN picture_object_id uuid UNIQUE REFERENCES objects ON DELETE RESTRICT;

-- The log of events that staff read shows the newest.
CREATE INDEX webhook_events_received ON webhook_events (received_at DESC);
