-- The mean colour of an image, shown until it has loaded; and when a job made all its sizes.
ALTER TABLE objects ADD COLUMN color text CHECK (color ~ '^#[0-9a-f]{6}$');
ALTER TABLE objects ADD COLUMN sized_at timestamptz;
-- The bytes that an upload under way may bring; they count against its member's day.
ALTER TABLE objects ADD COLUMN announced_bytes bigint CHECK (announced_bytes > 0);
-- Whether the browser gave the size; the joined file must then have it.
ALTER TABLE part_uploads ADD COLUMN is_exact boolean NOT NULL DEFAULT true;
