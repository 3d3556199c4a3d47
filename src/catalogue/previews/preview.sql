-- @name readPreviews
SELECT id, kind, content_type, size_bytes, alt, shown, whole,
  CASE kind WHEN 'image' THEN '/images/' || object_id || '/640.webp' ELSE '/samples/' || id END AS url
FROM product_previews WHERE product_id = :productId ORDER BY position, created_at, id;
