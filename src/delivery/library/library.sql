-- A page of the library. Archived entries are ranked too, so archiving does not shift the pages.
-- @name readLibrary
-- @null kind, after, next
WITH own AS MATERIALIZED (
  SELECT e.file_id, e.archived_at, e.created_at AS bought_at, l.id, l.title, l.bundle_title, l.delivery, l.more_file_ids,
    greatest((SELECT max(g.created_at) FROM download_grants g WHERE g.entitlement_id = e.id),
      (SELECT max(v.created_at) FROM delivery_events v WHERE v.entitlement_id = e.id)) AS opened_at,
    (SELECT shown_name(u, 'Primo seller') FROM users u WHERE u.id = l.seller_id) AS seller
  FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id AND o.status = 'completed'
  WHERE e.user_id = :userId AND e.revoked_at IS NULL),
ranked AS (SELECT *, row_number() OVER (ORDER BY CASE WHEN :sort::text = 'title' THEN lower(title) END,
  CASE WHEN :sort = 'opened' THEN opened_at END DESC NULLS LAST, bought_at DESC, id) AS n FROM own),
hits AS (SELECT * FROM ranked WHERE (archived_at IS NOT NULL) = :isArchived::boolean AND (:kind::text IS NULL OR delivery = :kind)
  AND NOT EXISTS (SELECT FROM unnest(string_to_array(lower(:words::text), ' ')) w
    WHERE strpos(lower(concat_ws(' ', title, bundle_title, seller)), w) = 0)),
page AS (SELECT * FROM hits WHERE n > coalesce((SELECT n FROM ranked WHERE id = :after::uuid), 0) ORDER BY n LIMIT :limit::int + 1),
shown AS (SELECT * FROM page ORDER BY n LIMIT :limit)
SELECT coalesce(json_agg(json_build_object('id', s.id, 'orderId', l.order_id, 'productId', p.id, 'title', s.title,
    'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'coverId', p.variant_of,
    'bundle', s.bundle_title, 'seller', s.seller, 'kind', s.delivery, 'quantity', CASE s.delivery WHEN 'code'
      THEN (SELECT count(*) FROM codes c WHERE c.order_line_id = s.id AND c.state = 'sold' AND c.gift_id IS NULL)
      ELSE l.quantity - coalesce(r.returned_quantity, 0) END,
    'boughtAt', iso_of(s.bought_at), 'openedAt', iso_of(s.opened_at), 'isArchived', s.archived_at IS NOT NULL,
    'closedBy', (SELECT t.closed_by FROM line_closing t WHERE t.order_line_id = s.id),
    'stop', CASE s.delivery WHEN 'file' THEN (SELECT t.stop FROM last_stop(s.id, :userId) t) END,
    'course', CASE s.delivery WHEN 'course' THEN (SELECT to_json(d) FROM done_lessons(s.id, p.id, :userId) d) END,
    'files', (SELECT b.files FROM bought_files(s.file_id || s.more_file_ids, p.id) b)) ORDER BY s.n), '[]')::text AS json,
  (SELECT count(*)::int FROM hits) AS total,
  CASE WHEN (SELECT count(*) FROM page) > :limit THEN (SELECT id FROM shown ORDER BY n DESC LIMIT 1) END AS next
FROM shown s JOIN order_lines l ON l.id = s.id JOIN products p ON p.id = l.product_id LEFT JOIN earnings r ON r.order_line_id = s.id;

-- @name readOwnedFiles
-- @null json
SELECT (SELECT json_agg(json_build_object('id', f.id, 'fileName', f.file_name, 'sizeBytes', f.size_bytes, 'sha256', f.sha256,
    'isStamped', f.content_type = 'application/pdf' AND f.size_bytes <= :maxStampedBytes AND p.stamps_pdf,
    'newer', (SELECT json_build_object('id', n.id, 'fileName', n.file_name, 'sizeBytes', n.size_bytes, 'sha256', n.sha256,
      'note', n.note, 'addedAt', iso_of(n.created_at)) FROM newer_file(f.id, p.id) n)) ORDER BY x.n)::text
  FROM unnest(e.file_id || l.more_file_ids) WITH ORDINALITY x (id, n)
  JOIN product_files f ON f.id = x.id JOIN products p ON p.id = f.product_id) AS json
FROM open_copy o JOIN entitlements e ON e.id = o.entitlement_id JOIN order_lines l ON l.id = o.order_line_id
WHERE o.user_id = :userId AND o.order_line_id = :lineId;

-- @name setArchived
UPDATE entitlements SET archived_at = CASE WHEN :isArchived::boolean THEN coalesce(archived_at, now()) END
WHERE order_line_id = :lineId AND user_id = :userId AND revoked_at IS NULL RETURNING id;

-- @name readOpenLines
SELECT o.order_line_id AS id FROM open_copy o WHERE o.user_id = :userId AND o.order_line_id = ANY (:lineIds::uuid[]);

-- @name readOwnedParts
SELECT k.product_id AS id FROM bundle_parts k WHERE k.bundle_id = :bundleId
  AND EXISTS (SELECT FROM entitlements e WHERE e.user_id = :userId AND e.product_id = k.product_id AND e.revoked_at IS NULL)
ORDER BY k.position;
