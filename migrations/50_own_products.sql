-- What sellers do with their products. A product that is off sale is withdrawn, or a draft that was never on sale.
ALTER TABLE products ADD COLUMN withdrawn_at timestamptz;
-- Counts the seller's edits, so that an edit of an older version is refused.
ALTER TABLE products ADD COLUMN version int NOT NULL DEFAULT 1;
UPDATE products SET withdrawn_at = updated_at WHERE NOT is_active;
