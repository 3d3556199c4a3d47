-- Records the fees that the ledger lacks. Parts of one fee have the same reference.
-- @name recordFees
INSERT INTO provider_fees (provider, mode, ref, amount_cents, charged_at, transfer_id)
SELECT :provider, :mode, ref, sum(amount_cents), min(charged_at), :transferId::uuid
FROM unnest(:refs::text[], :cents::bigint[], :times::timestamptz[]) fee (ref, amount_cents, charged_at)
GROUP BY ref HAVING sum(amount_cents) <> 0 ON CONFLICT DO NOTHING RETURNING amount_cents;
