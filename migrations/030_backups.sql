-- When the store was last backed up, so that its screens can say that it was too long ago.
CREATE TABLE backups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  made_at timestamptz NOT NULL DEFAULT now(),
  size_bytes bigint NOT NULL CHECK (size_bytes > 0)
);
CREATE INDEX backups_made ON backups (made_at DESC);
