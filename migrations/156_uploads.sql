-- The lease of the node that checks the bytes of an upload. The node prolongs it; the lease of a killed node expires.
ALTER TABLE objects ADD COLUMN checking_until timestamptz;
-- Why the joined file was refused, as `{ status, message, code }`: a repeated call hears it on every node.
ALTER TABLE part_uploads ADD COLUMN refusal jsonb;
