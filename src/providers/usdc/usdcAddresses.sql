-- @name nextIndex
SELECT nextval('usdc_address_index') AS index;

-- Assigns an address to the payment, once. It expires with the order.
-- @name giveAddress
INSERT INTO usdc_addresses (address, derivation_index, payment_id, chain_id, token, units, confirmations, expires_at)
SELECT :address, :index, p.id, :chainId, :token, :units, :confirmations, coalesce(o.expires_at, now() + interval '30 minutes')
FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.id = :paymentId
ON CONFLICT (payment_id) DO NOTHING;

-- The address of an ended, unpaid order of the same member without transfers. Late transfers may arrive for an hour.
-- @name lockReusable
SELECT a.address, f.id AS former_id FROM payments p JOIN orders o ON o.id = p.order_id
JOIN orders b ON b.user_id = o.user_id AND b.id <> o.id AND b.status = 'failed'
JOIN payments f ON f.order_id = b.id AND f.status IN ('canceled', 'expired', 'failed')
JOIN usdc_addresses a ON a.payment_id = f.id
WHERE p.id = :paymentId AND a.chain_id = :chainId AND a.token = :token AND NOT a.has_transfers AND NOT a.is_due
  AND a.accepted_at IS NULL AND greatest(a.expires_at, b.updated_at) < now() - interval '60 minutes'
  AND NOT EXISTS (SELECT FROM usdc_exceptions e WHERE e.payment_id = f.id)
  AND NOT EXISTS (SELECT FROM usdc_transfers t WHERE t.address = a.address)
  AND NOT EXISTS (SELECT FROM usdc_addresses own WHERE own.payment_id = p.id)
ORDER BY a.derivation_index LIMIT 1 FOR UPDATE OF a SKIP LOCKED;

-- @name moveAddress
UPDATE usdc_addresses a SET payment_id = p.id, units = :units, confirmations = :confirmations, closed_at = NULL,
  created_at = now(), expires_at = coalesce(o.expires_at, now() + interval '30 minutes')
FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.id = :paymentId AND a.address = :address;

-- The addresses without a transfer that the member got within a day.
-- @name countUnpaid
SELECT count(*)::int AS addresses FROM payments p
JOIN orders o ON o.id = p.order_id JOIN orders own ON own.user_id = o.user_id
JOIN payments q ON q.order_id = own.id JOIN usdc_addresses a ON a.payment_id = q.id
WHERE p.id = :paymentId AND NOT a.has_transfers AND a.created_at > now() - interval '1 day';

-- Closes an address without transfers. The scanner may still read a block from before the end of an expired payment.
-- @name closeAddress
UPDATE usdc_addresses a SET closed_at = now()
WHERE a.payment_id = :paymentId AND (SELECT p.status FROM payments p WHERE p.id = a.payment_id) <> 'expired'
  AND NOT EXISTS (SELECT FROM usdc_transfers t WHERE t.address = a.address AND t.removed_at IS NULL)
RETURNING a.address;

-- Late money may arrive for 30 days after an order ended, or until staff close its exception.
-- @name listWatched
SELECT a.address FROM usdc_addresses a
WHERE a.chain_id = :chainId AND a.token = :token AND (a.created_at > now() - interval '30 days' OR a.derivation_index = 0
  OR EXISTS (SELECT FROM usdc_exceptions e WHERE e.payment_id = a.payment_id AND e.state <> 'done'))
ORDER BY a.address;

-- @name markDue
UPDATE usdc_addresses SET is_due = true, has_transfers = true WHERE address = ANY (:addresses::text[]) RETURNING payment_id;

-- The address of a buyer's order: that of the paid payment, otherwise of the newest payment.
-- @name findOwn
SELECT a.*, p.status FROM payments p
JOIN orders o ON o.id = p.order_id JOIN usdc_addresses a ON a.payment_id = p.id
WHERE o.id = :orderId AND o.user_id = :userId
ORDER BY p.status IN ('captured', 'refunded', 'part_refunded') DESC, a.has_transfers DESC, p.created_at DESC LIMIT 1;
