-- The provider that the member used or chose last.
-- @name findProvider
SELECT provider FROM method_choices WHERE user_id = :userId;

-- The default: the member's choice, otherwise the newest saved method, otherwise the main one. A method that the member
-- saved after choosing its provider replaces the choice.
-- @name findDefault
-- @null wallet_id
WITH saved AS MATERIALIZED (SELECT * FROM usable_wallets(:userId, :names::text[], :modes::text[]))
SELECT 1 AS rank, c.provider, coalesce(
  (SELECT id FROM saved WHERE id = c.wallet_id),
  (SELECT id FROM saved s WHERE s.provider = c.provider AND s.created_at > c.chosen_at ORDER BY created_at DESC LIMIT 1)) AS wallet_id
FROM method_choices c WHERE c.user_id = :userId AND c.provider = ANY (:names)
UNION ALL
(SELECT 2, provider, id FROM saved ORDER BY created_at DESC, id LIMIT 1)
UNION ALL
SELECT 3, (:names)[1], NULL
ORDER BY rank LIMIT 1;
