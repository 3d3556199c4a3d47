-- The account wants a mail when a seller sends a newer version of a file that it has bought.
ALTER TABLE users ADD COLUMN wants_versions boolean NOT NULL DEFAULT true;
