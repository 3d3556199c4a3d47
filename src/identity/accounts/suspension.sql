-- Returns no row if the seller is already suspended.
-- @name insertSuspension
-- @null days, ends_at
INSERT INTO suspensions (seller_id, reason, made_by, ends_at)
VALUES (:sellerId, :reason, :madeBy, now() + :days::int * interval '1 day')
ON CONFLICT (seller_id) WHERE lifted_at IS NULL DO NOTHING RETURNING id, ends_at;

-- Without `actorId`, ends only an expired suspension.
-- @name endSuspension
-- @null actorId
UPDATE suspensions SET lifted_at = now(), lifted_by = :actorId::uuid
WHERE seller_id = :sellerId AND lifted_at IS NULL AND (:actorId::uuid IS NOT NULL OR ends_at <= now()) RETURNING id;

-- @name findOverdueSuspensions
SELECT seller_id FROM suspensions WHERE lifted_at IS NULL AND ends_at <= now() LIMIT :limit::int;
