-- The price of a line is a choice of the buyer only if they chose it. Otherwise it is what the product cost when it was added.
ALTER TABLE cart_items ADD COLUMN is_chosen boolean NOT NULL DEFAULT false;
UPDATE cart_items l SET is_chosen = true FROM products p WHERE p.id = l.product_id AND p.suggested_cents IS NOT NULL;
