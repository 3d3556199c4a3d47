-- @name listWallets
SELECT id, provider, label, created_at FROM usable_wallets(:userId, :names::text[], :modes::text[]) ORDER BY created_at DESC, id;

-- The newest saved method at a provider, or the one with this id.
-- @name findWallet
-- @null walletId
SELECT id, provider, label, vault_id FROM wallets
WHERE removed_at IS NULL AND user_id = :userId AND provider = :provider AND mode = :mode AND (:walletId::uuid IS NULL OR id = :walletId)
ORDER BY created_at DESC LIMIT 1;

-- Removes a saved method of the member, or all of them.
-- @name removeWallets
-- @null walletId
UPDATE wallets SET removed_at = now(), label = ''
WHERE user_id = :userId AND (:walletId::uuid IS NULL OR id = :walletId) AND removed_at IS NULL RETURNING id, provider;

-- Lost revocations, oldest first, so that failing ones do not block others. Live wallets need the live provider.
-- @name markIdle
UPDATE wallets SET revocation_asked_at = now() WHERE id IN (
  SELECT id FROM wallets
  WHERE removed_at < now() - interval '30 minutes' AND revoked_at IS NULL AND provider = ANY (:names::text[])
    AND (mode = 'sandbox' OR provider = ANY (:live::text[]))
  ORDER BY coalesce(revocation_asked_at, removed_at) LIMIT :most) RETURNING id, provider;

-- Erases the references of methods that the provider revoked more than an hour ago.
-- @name eraseReferences
UPDATE wallets SET vault_id = 'erased-' || id
WHERE revoked_at < now() - interval '1 hour' AND NOT starts_with(vault_id, 'erased-');
