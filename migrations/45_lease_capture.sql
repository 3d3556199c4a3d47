-- Leases the capture of a buyer's approved payment if nothing stands in its way. Two statements in one function: the second
-- judges with what the first waited for. The order's lock keeps judgements of risk and other payments out.
CREATE FUNCTION lease_capture(buyer uuid, wanted_ref text, lease_end timestamptz) RETURNS SETOF payments LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM orders WHERE user_id = buyer
    AND id IN (SELECT order_id FROM payments WHERE provider_order_id = wanted_ref) FOR NO KEY UPDATE;
  RETURN QUERY UPDATE payments p SET status = 'capturing', lease_until = lease_end, updated_at = now()
  FROM orders o
  WHERE p.provider_order_id = wanted_ref AND p.status = 'created'
    AND o.id = p.order_id AND o.user_id = buyer AND o.status = 'pending'
    AND NOT EXISTS (SELECT FROM order_lines l WHERE l.order_id = o.id AND l.delivery = 'code')
    AND NOT EXISTS (SELECT FROM risk_holds h WHERE h.order_id = o.id AND h.state <> 'released')
    AND NOT EXISTS (SELECT FROM risk_blocks b WHERE b.lifted_at IS NULL AND b.expires_at > now()
      AND (b.kind, b.subject) IN (('account', o.user_id::text), ('network', (
        SELECT d.network FROM risk_decisions d WHERE d.order_id = o.id ORDER BY d.created_at DESC LIMIT 1))))
  RETURNING p.*;
END $$;
