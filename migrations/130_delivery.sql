-- A repeated press makes one gift; and gifts move no counter of sales.
ALTER TABLE gifts ADD COLUMN give_key text CHECK (length(give_key) BETWEEN 1 AND 255);

-- What one mailbox is: capital letters and a tag after a plus do not make another.
CREATE FUNCTION mailbox_of(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN regexp_replace(lower(address), '\+[^@]*@', '@');

-- the line of a claimed gift: its giver's line is the sale
ALTER TABLE entitlements ADD COLUMN is_gift boolean NOT NULL DEFAULT false;
UPDATE entitlements e SET is_gift = true FROM order_lines l WHERE l.id = e.order_line_id AND l.gift_id IS NOT NULL;

-- Access that ends takes a sale back, also when all copies were given away before. Giving them away, or keeping one after
-- all, takes nothing back.
DROP TRIGGER entitlements_note_end ON entitlements;
CREATE TRIGGER entitlements_note_end AFTER UPDATE OF revoked_at, given_at ON entitlements FOR EACH ROW
  WHEN ((OLD.revoked_at IS NULL OR OLD.given_at IS NOT NULL) AND NEW.revoked_at IS NOT NULL AND NEW.given_at IS NULL
    AND NOT NEW.is_gift)
  EXECUTE FUNCTION note_access_end();

-- what gifts have moved so far
WITH touched AS (SELECT DISTINCT coalesce(p.variant_of, p.id) AS id FROM gifts g
    JOIN order_lines l ON l.id = g.order_line_id JOIN products p ON p.id = l.product_id)
UPDATE product_counts c SET sales = (SELECT count(*) FROM products p JOIN entitlements e ON e.product_id = p.id
      WHERE (p.id = c.product_id OR p.variant_of = c.product_id)
        AND (e.revoked_at IS NULL OR e.given_at IS NOT NULL) AND NOT e.is_gift)
    + (SELECT coalesce(sum(CASE v.kind WHEN 'sale' THEN -1 ELSE 1 END), 0) FROM products p
      JOIN order_lines l ON l.product_id = p.id JOIN seller_events v ON v.order_line_id = l.id
      WHERE (p.id = c.product_id OR p.variant_of = c.product_id) AND v.kind IN ('sale', 'access'))
  FROM touched WHERE touched.id = c.product_id;
