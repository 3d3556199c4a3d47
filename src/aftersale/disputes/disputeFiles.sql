-- Files of a dispute in the order in which they were attached. `userId` selects those of one person.
-- @name listFiles
-- @null userId
SELECT f.*, shown_name(u, 'A member') AS by FROM dispute_files f JOIN users u ON u.id = f.user_id
WHERE f.dispute_id = :disputeId AND (:userId::uuid IS NULL OR f.user_id = :userId) ORDER BY f.created_at, f.id;

-- @name addFile
INSERT INTO dispute_files (dispute_id, user_id, object_id, shows, file_name, content_type, size_bytes, sha256)
VALUES (:disputeId, :userId, :objectId, :shows, :fileName, :contentType, :sizeBytes, :sha256);

-- `userId` limits the removal to a file of this person.
-- @name removeFile
-- @null userId
DELETE FROM dispute_files WHERE id = :id AND dispute_id = :disputeId AND (:userId::uuid IS NULL OR user_id = :userId)
RETURNING object_id, shows, user_id;

-- A file of this person or of this dispute.
-- @name findFile
-- @null userId, disputeId
SELECT object_id, file_name, content_type, size_bytes, sha256 FROM dispute_files
WHERE id = :id AND (user_id = :userId::uuid OR dispute_id = :disputeId::uuid);

-- The files of a member, and those about a purchase of the member whose dispute has ended. An answer on its way needs its files.
-- @name forgetFiles
DELETE FROM dispute_files f USING disputes d WHERE d.id = f.dispute_id
  AND (d.ended_at IS NOT NULL OR (f.user_id = :userId AND (d.evidence_id IS NULL OR d.evidence_sent_at IS NOT NULL)))
  AND (f.user_id = :userId OR d.user_id = :userId) RETURNING f.object_id;

-- Files of disputes that ended long ago, or whose buyer was erased before the end. Files of erased members whose answer was sent.
-- @name deleteOldFiles
DELETE FROM dispute_files f USING disputes d, users buyer, users owner
WHERE d.id = f.dispute_id AND buyer.id = d.user_id AND owner.id = f.user_id
  AND (d.ended_at < now() - :days::int * interval '1 day' OR (d.ended_at IS NOT NULL AND buyer.erased_at IS NOT NULL)
    OR (owner.erased_at IS NOT NULL AND (d.ended_at IS NOT NULL OR d.evidence_id IS NULL OR d.evidence_sent_at IS NOT NULL)))
RETURNING f.object_id;
