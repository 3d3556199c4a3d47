-- What of a product that is imported does not come along, such as variants.
ALTER TABLE product_import_rows ADD COLUMN note text;
ALTER TABLE product_imports ADD COLUMN noted int NOT NULL DEFAULT 0;
