-- Unused uploads of an unfinished product stay until this time.
ALTER TABLE objects ADD COLUMN kept_until timestamptz;
