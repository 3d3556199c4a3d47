-- A product has up to 20 files, and each file has versions of its own.

-- Which file of its product a version belongs to: 1 for the first that was added, then 2, and so on. A number is not used again.
ALTER TABLE product_files ADD COLUMN part int NOT NULL DEFAULT 1 CHECK (part > 0);
-- The versions on sale after `file_id`, in the seller's order.
ALTER TABLE products ADD COLUMN more_file_ids uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(more_file_ids) <= 19);
-- The versions that a line was sold with after `file_id`. A version that was on sale is never deleted.
ALTER TABLE order_lines ADD COLUMN more_file_ids uuid[] NOT NULL DEFAULT '{}';
