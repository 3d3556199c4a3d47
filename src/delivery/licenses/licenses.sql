-- Terms at the time of the order. A gift has the terms of its purchase.
-- @name readBoughtTerms
-- @null prefix, devices_per_seat, valid_days
SELECT e.order_line_id, e.user_id, e.product_id, p.title, t.prefix, t.devices_per_seat, t.valid_days
FROM entitlements e JOIN products p ON p.id = e.product_id
JOIN order_lines l ON l.id = e.order_line_id
LEFT JOIN gifts g ON g.id = l.gift_id LEFT JOIN order_lines b ON b.id = g.order_line_id
JOIN orders o ON o.id = coalesce(b.order_id, l.order_id)
LEFT JOIN LATERAL (
  SELECT * FROM (SELECT prefix, devices_per_seat, valid_days, ended_at, product_id FROM former_license_terms f
    WHERE f.product_id IN (p.id, p.variant_of) AND f.ended_at > o.created_at
    UNION ALL
    SELECT prefix, devices_per_seat, valid_days, 'infinity', product_id FROM license_terms n
    WHERE n.product_id IN (p.id, p.variant_of)) terms
  -- a variant without own terms has those of its product
  ORDER BY product_id <> p.id, ended_at LIMIT 1) t ON true
WHERE e.order_line_id = ANY (:lineIds::uuid[]);

-- @name readSettings
-- @null prefix, devices_per_seat, valid_days
SELECT p.title, t.prefix, t.devices_per_seat, t.valid_days,
  EXISTS (SELECT FROM licenses k WHERE k.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(p.id) w))) AS is_sold
FROM products p
-- a variant without own terms has those of its product
LEFT JOIN license_terms t ON t.product_id
  = coalesce((SELECT n.product_id FROM license_terms n WHERE n.product_id = p.id), p.variant_of, p.id)
WHERE p.id = :productId;

-- Returns no row if the remaining seats are too few for the buyer's devices.
-- @name setSeatsAside
UPDATE licenses k SET seats = k.seats - :quantity::int
WHERE k.order_line_id = :lineId AND k.revoked_at IS NULL AND k.seats >= :quantity
  AND (k.seats - :quantity) * k.devices_per_seat
    >= (SELECT count(*) FROM license_devices d WHERE d.license_id = k.id AND holds_place(d))
RETURNING k.id;

-- Locks the order of a claimed gift's giver, against a refund and a dispute.
-- @name lockGiftOrderOfKey
SELECT FROM order_lines l JOIN gifts g ON g.id = l.gift_id JOIN order_lines b ON b.id = g.order_line_id
JOIN orders o ON o.id = b.order_id
WHERE l.id = (SELECT order_line_id FROM licenses WHERE key_hash = :keyHash) FOR SHARE OF o;

-- @name lockOrderOfKey
SELECT FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN licenses k ON k.order_line_id = l.id
WHERE k.key_hash = :keyHash FOR SHARE OF o;

-- A token of a product is also valid for its variants.
-- @name findByKey
-- @null variant, expires_at, revoke_reason
-- @type state: import('./ownedLicense.contract.ts').LicenseState
SELECT k.* FROM known_license k
WHERE k.key_hash = :keyHash AND k.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(:productId) w));

-- @name findById
-- @null variant, expires_at, revoke_reason
-- @type state: import('./ownedLicense.contract.ts').LicenseState
SELECT k.* FROM known_license k
WHERE k.id = :id AND k.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(:productId) w));

-- @name findOwned
-- @null variant, expires_at, revoke_reason
-- @type state: import('./ownedLicense.contract.ts').LicenseState
SELECT k.* FROM known_license k WHERE k.order_line_id = :lineId AND k.order_id = :orderId AND k.buyer_id = :userId;

-- @name findOfOrder
-- @null after, variant, expires_at, revoke_reason
-- @type state: import('./ownedLicense.contract.ts').LicenseState
SELECT k.* FROM known_license k
WHERE k.order_id = :orderId AND k.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(:productId) w))
  AND (:after::uuid IS NULL OR (k.created_at, k.id) < (SELECT a.created_at, a.id FROM licenses a WHERE a.id = :after))
ORDER BY k.created_at DESC, k.id DESC LIMIT :limit;

-- Newest key first. `orderEnding` is the end of an order number.
-- @name listSold
-- @null orderEnding, after, variant, expires_at, revoke_reason
-- @type state: import('./ownedLicense.contract.ts').LicenseState
SELECT k.* FROM known_license k
WHERE k.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(:productId) w))
  AND (:orderEnding::text IS NULL OR right(k.order_id::text, 8) = :orderEnding)
  AND (:after::uuid IS NULL OR (k.created_at, k.id) < (SELECT a.created_at, a.id FROM licenses a WHERE a.id = :after))
ORDER BY k.created_at DESC, k.id DESC LIMIT :limit;

-- A place is free once the device's licence file expires.
-- @name removeDevices
WITH signed AS (
  UPDATE license_devices SET removed_at = coalesce(removed_at, now())
  WHERE license_id = :licenseId AND id = ANY (:ids::uuid[]) AND file_until > now() RETURNING id),
unsigned AS (
  DELETE FROM license_devices
  WHERE license_id = :licenseId AND id = ANY (:ids) AND (file_until <= now()) IS NOT FALSE RETURNING id)
SELECT id FROM signed UNION ALL SELECT id FROM unsigned;
