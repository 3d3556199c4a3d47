-- Views of purchase risk for other rooms.

-- Declines of the last seven days that came after the end of the last block of their account.
CREATE OR REPLACE VIEW counted_decline AS
SELECT d.user_id, d.instrument, d.created_at FROM risk_declines d
WHERE d.created_at > now() - interval '7 days'
  AND d.created_at > coalesce((SELECT max(coalesce(b.lifted_at, b.expires_at)) FROM risk_blocks b
    WHERE b.kind = 'account' AND b.subject = d.user_id::text
      AND (b.lifted_at IS NOT NULL OR (b.made_by IS NULL AND b.expires_at <= now()))), '-infinity');
