-- @name findTaken
-- @null image_url
SELECT l.order_id, p.id AS product_id, l.title, p.category_id, e.created_at AS bought_at,
  '/images/' || p.image_object_id || '/640.webp' AS image_url,
  (SELECT shown_name(u, 'Primo seller') FROM users u WHERE u.id = l.seller_id) AS seller
FROM open_copy o JOIN entitlements e ON e.id = o.entitlement_id JOIN order_lines l ON l.id = o.order_line_id
JOIN products p ON p.id = l.product_id
WHERE o.user_id = :userId AND o.order_line_id = :lineId AND l.delivery = 'course';

-- Without a line, the parts as a buyer of this moment sees them.
-- @name readParts
-- @null lineId
-- @null opens_at, opened_at
-- @type look: import('./learning.contract.ts').LessonLook
SELECT c.id, c.is_section, c.title, k.look, greatest(1, round(length(c.text) / 1000.0))::int AS minutes,
  CASE WHEN opening.at > now() THEN iso_of(opening.at) END AS opens_at, d.done_at IS NOT NULL AS is_done, d.opened_at
FROM course_parts c CROSS JOIN LATERAL lesson_look(c.id) k
CROSS JOIN LATERAL (SELECT opening_of(c, :boughtAt) AS at) opening
LEFT JOIN lesson_progress d ON d.lesson_id = c.id AND d.order_line_id = :lineId AND d.user_id = :userId
WHERE c.product_id = :productId AND c.deleted_at IS NULL
ORDER BY c.position, c.created_at, c.id;

-- @name findLesson
SELECT c.id, c.title, c.text, coalesce(opening_of(c, :boughtAt) > now(), false) AS is_locked FROM course_parts c
WHERE c.id = :lessonId AND c.product_id = :productId AND NOT c.is_section AND c.deleted_at IS NULL;

-- @name readOpenLessons
SELECT c.id, c.title, c.text FROM course_parts c
WHERE c.product_id = :productId AND NOT c.is_section AND c.deleted_at IS NULL
  AND coalesce(opening_of(c, :boughtAt) <= now(), true)
ORDER BY c.position, c.created_at, c.id;

-- @name readPreviews
-- @null opens_on, text
-- @type look: import('./learning.contract.ts').LessonLook
SELECT c.id, c.is_section, c.title, k.look, c.opens_after_days,
  CASE WHEN c.opens_on > (now() AT TIME ZONE 'UTC')::date THEN c.opens_on::text END AS opens_on,
  CASE WHEN c.is_preview THEN c.text END AS text
FROM course_parts c JOIN products p ON p.id = c.product_id AND p.is_listed AND p.delivery = 'course'
CROSS JOIN LATERAL lesson_look(c.id) k
WHERE c.product_id = :productId AND c.deleted_at IS NULL
ORDER BY c.position, c.created_at, c.id;

-- @name readOutline
-- @null seconds
SELECT c.id, c.is_section, c.title, c.opens_on, c.opens_after_days, c.is_preview, k.types, k.seconds,
  CASE WHEN c.text = '' THEN 0 ELSE greatest(1, round(length(c.text) / 1000.0))::int END AS minutes
FROM course_parts c CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(f.content_type ORDER BY x.created_at, f.id), '{}') AS types,
    CASE WHEN count(*) FILTER (WHERE f.content_type ~ '^(audio|video)/' AND x.seconds IS NULL) = 0
      THEN coalesce(sum(x.seconds), 0)::int END AS seconds
  FROM lesson_files x JOIN product_files f ON f.id = x.file_id WHERE x.lesson_id = c.id) k
WHERE c.product_id = :productId AND c.deleted_at IS NULL
ORDER BY c.position, c.created_at, c.id;

-- @name findOwnCourse
-- @null image_url
SELECT p.id AS product_id, p.title, p.category_id, '/images/' || p.image_object_id || '/640.webp' AS image_url,
  (SELECT shown_name(u, 'Primo seller') FROM users u WHERE u.id = p.seller_id) AS seller
FROM products p WHERE p.id = :productId AND p.seller_id = :sellerId AND p.deleted_at IS NULL;

-- @name findOwnFile
SELECT f.object_id AS key, f.file_name, f.content_type, f.size_bytes, f.sha256
FROM lesson_files x JOIN product_files f ON f.id = x.file_id JOIN products p ON p.id = f.product_id
WHERE f.id = :fileId AND p.id = :productId AND p.seller_id = :sellerId AND p.deleted_at IS NULL;

-- @name setSeconds
UPDATE lesson_files x SET seconds = :seconds FROM product_files f JOIN products p ON p.id = f.product_id
WHERE x.file_id = :fileId AND f.id = x.file_id AND f.content_type ~ '^(audio|video)/'
  AND p.id = :productId AND p.seller_id = :sellerId AND p.deleted_at IS NULL
RETURNING x.file_id;

-- @name setPositions
UPDATE course_parts c SET position = o.n FROM unnest(:ids::uuid[]) WITH ORDINALITY o (id, n)
WHERE c.id = o.id AND c.position <> o.n;

-- Finds a lesson with content that buyers own.
-- @name findSoldLesson
SELECT c.id FROM course_parts c WHERE c.id = :partId AND NOT c.is_section
  AND (c.text <> '' OR EXISTS (SELECT FROM lesson_files f WHERE f.lesson_id = c.id))
  AND EXISTS (SELECT FROM entitlements e WHERE e.product_id = :productId AND e.revoked_at IS NULL);
