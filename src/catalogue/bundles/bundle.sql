-- @name countParts
SELECT count(*)::int AS count FROM bundle_parts WHERE bundle_id = :id;
