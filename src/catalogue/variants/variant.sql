-- What keeps a variant from deletion.
-- @name readVariantUse
SELECT EXISTS (SELECT FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.product_id = :id::uuid AND o.status <> 'failed') AS is_sold,
  EXISTS (SELECT FROM codes WHERE product_id = :id AND state <> 'void') AS has_codes,
  EXISTS (SELECT FROM bundle_parts WHERE product_id = :id) AS is_bundled;
