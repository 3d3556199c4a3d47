-- @name readPage
SELECT coalesce(json_agg(m.card ORDER BY page.n), '[]')::text AS json
FROM unnest(:ids::uuid[]) WITH ORDINALITY page (id, n) JOIN member_card m ON m.id = page.id;

-- @name readMemberFile
SELECT (m.card || jsonb_build_object('isVerified', s.email_verified, 'isOwn', s.id = :readerId::uuid,
  'handle', (SELECT f.handle FROM storefronts f WHERE f.user_id = s.id AND f.opened_at IS NOT NULL),
  'hasChat', EXISTS (SELECT FROM chat_conversations c WHERE c.user_id = s.id),
  'seller', (SELECT d.seller FROM seller_standing d WHERE d.id = s.id), 'sold', member_sold(s.id),
  'disputes', (SELECT count(*) FROM disputes d WHERE d.user_id = s.id),
  'sessions', (SELECT count(*) FROM sessions n WHERE n.user_id = s.id AND n.expires_at > now()),
  'purchases', member_purchases(s.id), 'sales', member_sales(s.id), 'messages', member_messages(s.id), 'cases', member_cases(s.id)))::text AS json
FROM users s JOIN member_card m ON m.id = s.id WHERE s.id = :id AND s.erased_at IS NULL;

-- The members who placed the order with this number, or paid with this payment.
-- @name findBuyers
-- @null orderId, shortId
SELECT DISTINCT o.user_id FROM orders o
WHERE o.id IN (SELECT x.id FROM orders x WHERE x.id = :orderId::uuid
  UNION ALL SELECT x.id FROM orders x WHERE right(x.id::text, 8) = :shortId
  UNION ALL SELECT y.order_id FROM payments y WHERE y.provider = ANY (:providers::text[]) AND y.provider_capture_id = ANY (:captures::text[])
  UNION ALL SELECT y.order_id FROM payments y WHERE right(y.provider_capture_id, 8) = ANY (:captures::text[]));

-- The members who saved a wallet with this address.
-- @name findPayers
SELECT DISTINCT user_id FROM wallets WHERE lower(label) = :label;

-- The newest case comes first. `at`, `kind`, `caseId` and `state` are the keys of the last case of the previous page.
-- @name listCases
-- @null at, kind, caseId, state, next
WITH page AS MATERIALIZED (
  SELECT c.*, row_number() OVER (ORDER BY c.at DESC, c.kind, c.id, c.state) AS n FROM (
    SELECT * FROM member_case m WHERE m.member_id = :memberId AND (:at::bigint IS NULL OR m.at < moment_of(:at)
      OR m.at = moment_of(:at) AND (m.kind, m.id, m.state) > (:kind::text, :caseId::uuid, :state::text))
    ORDER BY m.at DESC, m.kind, m.id, m.state LIMIT :limit::int + 1) c)
SELECT coalesce(json_agg(json_build_object('kind', p.kind, 'id', p.id, 'state', p.state, 'at', iso_of(p.at), 'about', p.about)
    ORDER BY p.n) FILTER (WHERE p.n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(json_build_array(micros_of(p.at), p.kind, p.state, p.id)::text ORDER BY p.n))[:limit]
    END AS next,
  (SELECT count(*) FROM member_case m WHERE m.member_id = :memberId) AS total
FROM page p;
