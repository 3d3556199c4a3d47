-- The seller's wish: buyers get PDFs of this product with their mail address on each page.
ALTER TABLE products ADD COLUMN stamps_pdf boolean NOT NULL DEFAULT false;
