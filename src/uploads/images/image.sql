-- @name findBound
SELECT id FROM objects WHERE id = :id AND status = 'bound';

-- Images in use without their other sizes, newest first.
-- @name findUnsized
SELECT o.id FROM objects o
WHERE o.status = 'bound' AND o.sized_at IS NULL AND o.stored_at < now() - interval '10 minutes'
  AND (o.id IN (SELECT image_object_id FROM products) OR o.id IN (SELECT picture_object_id FROM users))
ORDER BY o.stored_at DESC LIMIT :limit::int;
