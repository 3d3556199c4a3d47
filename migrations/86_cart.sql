-- Counts the edits of a discount code, so that an edit of an older version is refused.
ALTER TABLE discounts ADD COLUMN version int NOT NULL DEFAULT 1;
