-- A missing name is filled in from the profile once.
-- @name certify
INSERT INTO course_certificates (number, order_line_id, user_id, name, title, seller, lessons)
SELECT :number::text, :lineId::uuid, u.id, nullif(left(btrim(concat_ws(' ', btrim(u.first_name), btrim(u.last_name))), 200), ''),
  :title::text, :seller::text, :lessons::int
FROM users u WHERE u.id = :userId
ON CONFLICT (order_line_id, user_id) DO UPDATE SET name = coalesce(course_certificates.name, excluded.name);

-- @name findOfLine
SELECT c.number, c.name, c.title, c.seller, c.lessons, c.completed_at FROM course_certificates c
WHERE c.order_line_id = :lineId AND c.user_id = :userId;

-- `is_valid` is false after a refund of the course.
-- @name findByNumber
SELECT c.number, c.name, c.title, c.seller, c.lessons, c.completed_at,
  EXISTS (SELECT FROM entitlements e WHERE e.order_line_id = c.order_line_id AND e.revoked_at IS NULL) AS is_valid
FROM course_certificates c WHERE c.number = :number;
