-- @name notifyOfReader
SELECT pg_notify('members', '* here:' || c.user_id || ':' || s.id || ':' || regexp_replace(coalesce(s.first_name, ''), '\s+', ' ', 'g'))::text AS sent
FROM chat_conversations c JOIN users s ON s.id = :staffId WHERE c.user_id = :userId;
