-- Programs are sold in some categories only.
ALTER TABLE categories ADD COLUMN sells_programs boolean NOT NULL DEFAULT false;
UPDATE categories SET sells_programs = true WHERE id = 'software';
-- The file is or brings a program.
ALTER TABLE product_files ADD COLUMN is_program boolean NOT NULL DEFAULT false;
-- When its bytes were found to be what its name says. Files of earlier versions of the shop were not checked.
ALTER TABLE product_files ADD COLUMN checked_at timestamptz;
