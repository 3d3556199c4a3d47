-- @name readPage
SELECT coalesce(json_agg(m.card ORDER BY page.n), '[]')::text AS json
FROM unnest(:ids::uuid[]) WITH ORDINALITY page (id, n) JOIN member_card m ON m.id = page.id;

-- @name readMemberFile
SELECT (m.card || jsonb_build_object('isVerified', s.email_verified, 'isOwn', s.id = :readerId::uuid,
  'handle', (SELECT f.handle FROM storefronts f WHERE f.user_id = s.id AND f.opened_at IS NOT NULL),
  'hasChat', EXISTS (SELECT FROM chat_conversations c WHERE c.user_id = s.id),
  'seller', (SELECT d.seller FROM seller_standing d WHERE d.id = s.id)))::text AS json
FROM users s JOIN member_card m ON m.id = s.id WHERE s.id = :id AND s.erased_at IS NULL;
