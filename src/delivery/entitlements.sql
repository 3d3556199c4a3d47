-- If one copy of a product is enough, the copy of the first bundle opens and the others become gifts.
-- @name insertEntitlements
-- @type lines: string
INSERT INTO entitlements (order_line_id, user_id, product_id, file_id, revoked_at, given_at, is_gift)
SELECT l.id, :userId::uuid, l."productId", l."fileId", CASE WHEN o.owned THEN now() END, CASE WHEN o.owned THEN now() END,
  EXISTS (SELECT FROM order_lines m WHERE m.id = l.id AND m.gift_id IS NOT NULL)
FROM (SELECT *, row_number() OVER (PARTITION BY "productId" ORDER BY "bundleId" IS NULL, place) AS copy
  FROM json_to_recordset(:lines::json)
    AS x (id uuid, "productId" uuid, "fileId" uuid, "bundleId" uuid, "isOneEnough" boolean, place int)) l
CROSS JOIN LATERAL (SELECT l."isOneEnough" AND (l.copy > 1 OR EXISTS (SELECT FROM open_copy c
  WHERE c.user_id = :userId AND c.product_id = l."productId" AND c.order_line_id IS DISTINCT FROM l.id)) AS owned) o
ON CONFLICT (order_line_id) DO NOTHING;

-- @name ownsProduct
-- @null exceptLineId
SELECT EXISTS (SELECT FROM open_copy o WHERE o.user_id = :userId AND o.product_id = :productId
  AND o.order_line_id IS DISTINCT FROM :exceptLineId::uuid) AS is_owned;

-- @name opensLine
SELECT EXISTS (SELECT FROM open_copy o WHERE o.user_id = :userId AND o.order_line_id = :lineId) AS is_open;
