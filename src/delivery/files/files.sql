-- The version of a download: the bought one, or a newer one. Without `fileId`: a newer version of the first file.
-- @name findVersion
-- @null fileId
SELECT n.id FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN products p ON p.id = e.product_id
JOIN product_files b ON b.id = ANY (e.file_id || l.more_file_ids)
JOIN product_files n ON n.product_id = b.product_id AND n.part = b.part AND (n.id = b.id OR n.id = ANY (p.file_id || p.more_file_ids))
WHERE e.id = :entitlementId
  AND CASE WHEN :fileId::uuid IS NULL THEN b.id = e.file_id AND n.id <> b.id ELSE n.id = :fileId END;

-- @name findFiles
-- @null fileId
SELECT f.object_id AS key, f.file_name, f.content_type, f.size_bytes, f.sha256, f.created_at, l.title,
  f.content_type = 'application/pdf' AND f.size_bytes <= :maxStampedBytes AND p.stamps_pdf AS is_stamped
FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id
JOIN product_files f ON f.id = ANY (
  CASE WHEN :isZip::boolean THEN e.file_id || l.more_file_ids ELSE ARRAY[coalesce(:fileId::uuid, e.file_id)] END)
JOIN products p ON p.id = f.product_id
WHERE e.id = :entitlementId ORDER BY array_position(e.file_id || l.more_file_ids, f.id);

-- No row if another file replaced the version or its product is not for sale.
-- @name findNewVersion
-- @type note: string
SELECT f.product_id, f.part, p.title, f.note, shown_name(u, 'The seller') AS seller,
  to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
FROM product_files f JOIN products p ON p.id = f.product_id JOIN users u ON u.id = p.seller_id
WHERE f.id = :fileId AND f.id = ANY (p.file_id || p.more_file_ids) AND f.note IS NOT NULL
  AND p.taken_down IS NULL AND NOT p.is_suspended AND p.deleted_at IS NULL;

-- Buyers of another version of the same file who want such mails, each with their newest order.
-- @name findBuyersOfVersion
-- @null after
SELECT DISTINCT ON (e.user_id) e.user_id, u.email, l.order_id
FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN users u ON u.id = e.user_id
WHERE e.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(:productId) w)) AND e.revoked_at IS NULL
  AND EXISTS (SELECT FROM product_files b WHERE b.id = ANY (e.file_id || l.more_file_ids)
    AND b.product_id = :productId AND b.part = :part AND b.id <> :fileId)
  AND u.wants_versions AND u.email_verified AND u.erase_at IS NULL AND u.erased_at IS NULL AND u.mail_refused_at IS NULL
  AND (:after::uuid IS NULL OR e.user_id > :after)
ORDER BY e.user_id, e.created_at DESC LIMIT :limit;
