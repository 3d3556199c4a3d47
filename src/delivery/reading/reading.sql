-- @name readLine
-- @null image_url
SELECT l.order_id, p.id AS product_id, l.title, p.category_id, '/images/' || p.image_object_id || '/640.webp' AS image_url,
  e.file_id || l.more_file_ids AS file_ids,
  (SELECT shown_name(u, 'Primo seller') FROM users u WHERE u.id = l.seller_id) AS seller
FROM open_copy o JOIN entitlements e ON e.id = o.entitlement_id JOIN order_lines l ON l.id = o.order_line_id
JOIN products p ON p.id = l.product_id
WHERE o.user_id = :userId AND o.order_line_id = :lineId AND e.file_id IS NOT NULL;

-- @name readFiles
-- @null place
SELECT f.id, f.file_name, f.content_type, f.size_bytes, coalesce(f.chapters, '') AS chapters, r.place,
  coalesce(r.share, 0) AS share
FROM unnest(:fileIds::uuid[]) WITH ORDINALITY x (id, n) JOIN product_files f ON f.id = x.id
LEFT JOIN reading_places r ON r.file_id = f.id AND r.order_line_id = :lineId AND r.user_id = :userId
ORDER BY x.n;

-- @name readLessonFiles
-- @null place
SELECT f.id, f.file_name, f.content_type, f.size_bytes, coalesce(f.chapters, '') AS chapters, r.place,
  coalesce(r.share, 0) AS share
FROM lesson_files x JOIN product_files f ON f.id = x.file_id
LEFT JOIN reading_places r ON r.file_id = f.id AND r.order_line_id = :lineId AND r.user_id = :userId
WHERE x.lesson_id = :lessonId ORDER BY x.created_at, f.id;

-- Stores a position unless a later one is stored.
-- @name savePlace
INSERT INTO reading_places (order_line_id, user_id, file_id, place, share, moved_at)
VALUES (:lineId, :userId, :fileId, :place, :share, least(:movedAt::timestamptz, now()))
ON CONFLICT (order_line_id, user_id, file_id) DO UPDATE
SET place = excluded.place, share = excluded.share, moved_at = excluded.moved_at
WHERE reading_places.moved_at <= excluded.moved_at;
