-- Uploads: the objects of the store, uploads in parts, and their limits.

-- One row for each upload URL that was issued. The object store keeps the bytes under the row's id.
CREATE TABLE objects (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- bound: a product, file or profile uses it
  status text NOT NULL DEFAULT 'issued' CHECK (status IN ('issued', 'stored', 'bound')),
  size_bytes bigint CHECK (size_bytes > 0),
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  file_name text CHECK (length(file_name) BETWEEN 1 AND 255),
  content_type text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  stored_at timestamptz,
  -- the purpose, reported by the browser
  kind text CHECK (kind IN ('image', 'file')),
  -- the mean colour of an image, shown until it has loaded, and when a job made all its sizes
  color text CHECK (color ~ '^#[0-9a-f]{6}$'),
  sized_at timestamptz,
  -- the bytes of an upload under way; they count towards the daily limit of its member
  announced_bytes bigint CHECK (announced_bytes > 0),
  malware text CHECK (length(malware) BETWEEN 1 AND 200),
  -- the lease of the node that checks the bytes; the lease of a killed node expires
  checking_until timestamptz,
  -- why the bytes were refused, as `{ status, message, code }`: every node repeats it
  refused_as jsonb,
  CHECK (status = 'issued' OR (size_bytes IS NOT NULL AND sha256 IS NOT NULL AND stored_at IS NOT NULL))
);
CREATE INDEX objects_user ON objects (user_id, created_at DESC);
CREATE INDEX objects_unbound ON objects (created_at) WHERE status <> 'bound';
ALTER TABLE users ADD FOREIGN KEY (picture_object_id) REFERENCES objects ON DELETE RESTRICT;

-- An upload in parts, from its start until its object goes. It is open while its object has the status 'issued'.
CREATE TABLE part_uploads (
  object_id uuid PRIMARY KEY REFERENCES objects ON DELETE CASCADE,
  -- the name of the upload in the store
  upload_id text NOT NULL CHECK (length(upload_id) BETWEEN 1 AND 1024),
  -- as announced; no part may end after it
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- a hash of samples of the file, by which another device finds the upload
  fingerprint text CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  -- the browser gave the size, so the joined file must have it
  is_exact boolean NOT NULL DEFAULT true
);

-- Uploads under way, counted for each member on all nodes. A node prolongs its rows while the bytes arrive.
CREATE UNLOGGED TABLE upload_turns (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX upload_turns_user ON upload_turns (user_id);
