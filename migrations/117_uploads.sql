-- What the browser says an upload is for. Earlier rows do not know it.
ALTER TABLE objects ADD COLUMN kind text CHECK (kind IN ('image', 'file'));

-- An upload in parts, from its start until its object goes. It is open while its object has the status 'issued'.
CREATE TABLE part_uploads (
  object_id uuid PRIMARY KEY REFERENCES objects ON DELETE CASCADE,
  -- the store's name of it
  upload_id text NOT NULL CHECK (length(upload_id) BETWEEN 1 AND 1024),
  -- as announced: no part may lead past it
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- a hash of samples of the file, by which another device finds the upload
  fingerprint text CHECK (fingerprint ~ '^[0-9a-f]{64}$')
);

-- Uploads under way, counted for each member on all nodes. A node prolongs its rows while the bytes arrive.
CREATE UNLOGGED TABLE upload_turns (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX upload_turns_user ON upload_turns (user_id);
