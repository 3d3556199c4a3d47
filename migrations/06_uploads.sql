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
  CHECK (status = 'issued' OR (size_bytes IS NOT NULL AND sha256 IS NOT NULL AND stored_at IS NOT NULL))
);
CREATE INDEX objects_user ON objects (user_id, created_at DESC);
CREATE INDEX objects_unbound ON objects (created_at) WHERE status <> 'bound';

ALTER TABLE users ADD FOREIGN KEY (picture_object_id) REFERENCES objects ON DELETE RESTRICT;
