-- Files that sellers and staff attach to the answer of a dispute. The provider accepts one of each kind.
CREATE TABLE dispute_files (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  dispute_id uuid NOT NULL REFERENCES disputes ON DELETE RESTRICT,
  -- who attached it
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  object_id uuid NOT NULL UNIQUE REFERENCES objects ON DELETE RESTRICT,
  -- subject of the file; `use` is the delivery or the use of the goods
  shows text NOT NULL CHECK (shows IN ('messages', 'use', 'other')),
  file_name text NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
  content_type text NOT NULL CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg')),
  size_bytes int NOT NULL CHECK (size_bytes > 0),
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (dispute_id, shows)
);
CREATE INDEX dispute_files_user ON dispute_files (user_id);
