-- Leases the scan to one node: each minute, and more often while a transfer is expected or unconfirmed.
-- @name leaseCursor
UPDATE usdc_cursors SET lease_until = now() + interval '45 seconds'
WHERE chain_id = :chainId AND token = :token AND (:isForced::boolean OR (lease_until IS NULL OR lease_until < now())
  AND (scanned_at IS NULL OR scanned_at < now() - interval '60 seconds'
    OR EXISTS (SELECT FROM usdc_addresses a JOIN payments p ON p.id = a.payment_id
      WHERE p.provider = 'usdc' AND p.status IN ('creating', 'created', 'capturing', 'declined'))
    OR EXISTS (SELECT FROM usdc_transfers WHERE confirmed_at IS NULL AND removed_at IS NULL)
    OR EXISTS (SELECT FROM usdc_exceptions WHERE state = 'sent')
    OR EXISTS (SELECT FROM usdc_addresses WHERE is_due AND payment_id IS NOT NULL)
    OR EXISTS (SELECT FROM usdc_addresses
      WHERE derivation_index = 0 AND NOT has_transfers AND created_at > now() - interval '1 hour')))
RETURNING *;

-- @name noteTrouble
UPDATE usdc_cursors c SET lease_until = NULL, trouble = :why, trouble_at = coalesce(c.trouble_at, now()),
  is_alarmed = c.is_alarmed OR :isAlarm::boolean
    OR coalesce(c.trouble_at, now()) < now() - :alarmAfterSeconds::float8 * interval '1 second'
FROM (SELECT chain_id, token, is_alarmed AS was FROM usdc_cursors WHERE chain_id = :chainId AND token = :token FOR UPDATE) old
WHERE c.chain_id = old.chain_id AND c.token = old.token
RETURNING c.is_alarmed AND NOT old.was AS is_new;

-- Resets the confirmation of a transfer that moved to another block. Returns no row when nothing changed.
-- @name writeTransfer
INSERT INTO usdc_transfers (chain_id, tx_hash, log_index, address, sender, units, block_number, block_hash, block_at)
VALUES (:chainId, :txHash, :logIndex, :address, :sender, :units, :blockNumber, :blockHash, :blockAt)
ON CONFLICT (chain_id, tx_hash, log_index) DO UPDATE SET address = excluded.address, sender = excluded.sender,
  units = excluded.units, block_number = excluded.block_number, block_hash = excluded.block_hash,
  block_at = excluded.block_at, removed_at = NULL, confirmed_at = NULL
WHERE usdc_transfers.block_hash <> excluded.block_hash OR usdc_transfers.removed_at IS NOT NULL
RETURNING address;

-- @name listInBlocks
SELECT id, tx_hash, log_index, address FROM usdc_transfers
WHERE chain_id = :chainId AND block_number >= :from AND block_number <= :to AND removed_at IS NULL AND address = ANY (:watched::text[]);

-- Marks transfers that a reorganisation removed.
-- @name removeTransfers
UPDATE usdc_transfers SET removed_at = now(), confirmed_at = NULL WHERE id = ANY (:ids::bigint[]);

-- @name confirmTransfers
UPDATE usdc_transfers t SET confirmed_at = now() FROM usdc_addresses a
WHERE a.address = t.address AND t.chain_id = :chainId AND t.block_number >= :from
  AND t.block_number <= :to::bigint - a.confirmations + 1 AND t.confirmed_at IS NULL AND t.removed_at IS NULL
RETURNING t.address;

-- Transfers of a day by the chain's clock, in UTC.
-- @name listArrived
SELECT t.tx_hash, t.log_index, t.units, t.address, t.confirmed_at IS NOT NULL AS is_confirmed
FROM usdc_transfers t JOIN usdc_addresses a ON a.address = t.address
WHERE a.chain_id = :chainId AND a.token = :token AND t.removed_at IS NULL
  AND t.block_at >= :day::date::timestamp AT TIME ZONE 'UTC' AND t.block_at < (:day::date + 1)::timestamp AT TIME ZONE 'UTC';

-- @name findArrived
SELECT t.tx_hash, t.log_index, t.units FROM usdc_transfers t JOIN usdc_addresses a ON a.address = t.address
WHERE a.chain_id = :chainId AND a.token = :token AND t.removed_at IS NULL AND t.tx_hash || ':' || t.log_index = ANY (:refs::text[]);
