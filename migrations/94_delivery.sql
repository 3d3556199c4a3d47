-- When the buyer put a thing away in the library. It stays theirs.
ALTER TABLE entitlements ADD COLUMN archived_at timestamptz;
-- A grant of all files of a line, sent as one ZIP.
ALTER TABLE download_grants ADD COLUMN is_zip boolean NOT NULL DEFAULT false;
