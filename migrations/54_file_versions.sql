-- What the seller tells earlier buyers about a version of a file.
ALTER TABLE product_files ADD COLUMN note text CHECK (length(note) BETWEEN 1 AND 1000);
-- The newer version that a buyer takes; otherwise a grant is for the version that was bought.
ALTER TABLE download_grants ADD COLUMN file_id uuid REFERENCES product_files ON DELETE RESTRICT;
