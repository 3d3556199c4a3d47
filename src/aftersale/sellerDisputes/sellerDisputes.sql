-- The open dispute of a sale. A bank that only inquires freezes nothing.
-- @name findSaleDispute
-- @null evidence_due_at
SELECT d.id, d.order_id, d.reason, d.state, d.stage, d.opened_at, d.evidence_due_at, d.amount_cents,
  (d.evidence_id IS NOT NULL OR d.state = 'under_review') AS is_answered,
  (SELECT coalesce(sum(net_cents(x)), 0)::bigint FROM earnings x WHERE x.order_id = d.order_id AND x.seller_id = s.seller_id) AS frozen_cents
FROM earnings s JOIN disputes d ON d.order_id = s.order_id
WHERE s.order_line_id = :id AND s.seller_id = :sellerId AND d.ended_at IS NULL AND d.stage <> 'warning'
ORDER BY d.opened_at DESC LIMIT 1;

-- The first deliveries of a seller's goods in an order, without the buyer's network address.
-- @name listDeliveries
-- @type kind: 'access' | import('../../delivery/uses.rules.ts').Use
WITH own AS (SELECT l.title, l.position, n.id AS entitlement_id, n.created_at FROM earnings e
  JOIN order_lines l ON l.id = e.order_line_id JOIN entitlements n ON n.order_line_id = l.id
  WHERE e.order_id = :orderId AND e.seller_id = :sellerId)
SELECT f.key, f.title, f.kind, iso_of(f.at) AS at FROM (
  SELECT 'access:' || own.entitlement_id AS key, own.title, 'access' AS kind, own.created_at AS at, own.position FROM own
  UNION ALL SELECT 'use:' || v.id, own.title, v.kind, v.created_at, own.position FROM own
  JOIN delivery_events v ON v.entitlement_id = own.entitlement_id) f
ORDER BY f.at, f.position, f.key LIMIT :limit;

-- @name listFacts
-- @type deliveries: import('../disputes/fact.contract.ts').CitedDelivery[]
SELECT f.id, f.body AS text, f.deliveries, iso_of(f.created_at) AS added_at FROM dispute_facts f
WHERE f.dispute_id = :disputeId AND f.seller_id = :sellerId ORDER BY f.created_at, f.id;

-- What all sellers added, for staff.
-- @name listAllFacts
-- @type deliveries: import('../disputes/fact.contract.ts').CitedDelivery[]
SELECT f.id, f.body AS text, f.deliveries, iso_of(f.created_at) AS added_at, shown_name(u, 'A seller') AS seller
FROM dispute_facts f JOIN users u ON u.id = f.seller_id WHERE f.dispute_id = :disputeId ORDER BY f.created_at, f.id;

-- @name addFact
INSERT INTO dispute_facts (dispute_id, seller_id, body, deliveries) VALUES (:disputeId, :sellerId, :text, :deliveries::text::jsonb);

-- The facts of a member, and those about a purchase of the member whose dispute has ended.
-- @name forgetFacts
DELETE FROM dispute_facts WHERE seller_id = :userId
  OR dispute_id IN (SELECT d.id FROM disputes d WHERE d.user_id = :userId AND d.ended_at IS NOT NULL);

-- Facts of disputes that ended long ago, or whose buyer was erased before the end.
-- @name deleteOldFacts
DELETE FROM dispute_facts WHERE dispute_id IN (SELECT d.id FROM disputes d JOIN users u ON u.id = d.user_id
  WHERE d.ended_at < now() - :days::int * interval '1 day' OR (d.ended_at IS NOT NULL AND u.erased_at IS NOT NULL));
