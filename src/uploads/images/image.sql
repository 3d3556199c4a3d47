-- @name findBound
SELECT id FROM objects WHERE id = :id AND status = 'bound';

-- Images in use without their other sizes, newest first. Only an image has a colour.
-- @name findUnsized
SELECT o.id FROM objects o
WHERE o.status = 'bound' AND o.sized_at IS NULL AND o.color IS NOT NULL AND o.stored_at < now() - interval '10 minutes'
ORDER BY o.stored_at DESC LIMIT :limit::int;
