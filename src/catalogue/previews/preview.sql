-- @name readPreviews
SELECT id, kind, content_type, size_bytes, alt, shown, whole,
  CASE kind WHEN 'image' THEN '/images/' || object_id || '/640.webp' ELSE '/samples/' || id END AS url
FROM product_previews WHERE product_id = :productId ORDER BY position, created_at, id;

-- Deletes the samples that were cut from another file than the one that the product sells first.
-- @name deleteStaleCuts
DELETE FROM product_previews v USING products p
WHERE p.id = :productId AND v.product_id = p.id AND v.cut_from IS NOT NULL AND NOT (p.delivery IN ('file', 'license')
  AND EXISTS (SELECT FROM product_files f WHERE f.id = p.file_id AND f.object_id = v.cut_from))
RETURNING v.object_id;
