-- Why the bytes were refused, as `{ status, message, code }`: a repeated call hears it on every node, however the upload was sent. The
-- former release keeps the refusals of parts in part_uploads.refusal, and reads that column without its table.
ALTER TABLE objects ADD COLUMN refused_as jsonb;
