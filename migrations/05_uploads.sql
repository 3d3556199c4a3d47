-- Uploads: the objects of the store, multipart uploads, and their limits.

-- One row for each issued upload URL. The object store has the bytes under the row's id.
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
  -- the size of an upload in progress, which counts towards the daily limit of the member
  announced_bytes bigint CHECK (announced_bytes > 0),
  malware text CHECK (length(malware) BETWEEN 1 AND 200),
  -- lease of the node that checks the bytes; the lease of a killed node expires
  checking_until timestamptz,
  -- why the bytes were refused, as `{ status, message, code }`: every node returns this refusal
  refused_as jsonb,
  CHECK (status = 'issued' OR (size_bytes IS NOT NULL AND sha256 IS NOT NULL AND stored_at IS NOT NULL))
);
CREATE INDEX objects_user ON objects (user_id, created_at DESC);
CREATE INDEX objects_unbound ON objects (created_at) WHERE status <> 'bound';
ALTER TABLE users ADD FOREIGN KEY (picture_object_id) REFERENCES objects ON DELETE RESTRICT;

-- A multipart upload, from its start until its object is deleted. It is open while its object has the status 'issued'.
CREATE TABLE part_uploads (
  object_id uuid PRIMARY KEY REFERENCES objects ON DELETE CASCADE,
  -- the id of the upload in the store
  upload_id text NOT NULL CHECK (length(upload_id) BETWEEN 1 AND 1024),
  -- the announced size; no part may end after it
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- a hash of samples of the file, so that another device can resume the upload
  fingerprint text CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  -- the browser reported the size, so the joined file must have it
  is_exact boolean NOT NULL DEFAULT true
);

-- Uploads in progress, counted per member on all nodes. A node extends its rows while bytes arrive.
CREATE UNLOGGED TABLE upload_turns (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX upload_turns_user ON upload_turns (user_id);
