-- Where each backup stands, and whether backups could be restored, so that every node knows both.
ALTER TABLE backups ADD COLUMN store text NOT NULL DEFAULT 'file', ADD COLUMN name text, ADD COLUMN sha256 text;
CREATE TABLE restore_tests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tested_at timestamptz NOT NULL DEFAULT now(),
  backup text NOT NULL CHECK (length(backup) BETWEEN 1 AND 1000),
  backup_made_at timestamptz,
  is_good boolean NOT NULL,
  says text NOT NULL CHECK (length(says) BETWEEN 1 AND 2000),
  seconds real NOT NULL CHECK (seconds >= 0)
);
CREATE INDEX restore_tests_tested ON restore_tests (tested_at DESC);
