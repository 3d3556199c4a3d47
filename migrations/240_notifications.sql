-- Webhook events of disputes. A warning moves no money, so it has none until it becomes an inquiry or a claim.
-- Each dispute.closed follows a dispute.opened, also if both happen in one change.

CREATE FUNCTION tell_hooks_of_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text;
  data jsonb := jsonb_build_object('disputeId', NEW.id, 'orderId', NEW.order_id, 'reason', NEW.reason, 'stage', NEW.stage,
    'state', NEW.state);
  is_first boolean := TG_OP = 'INSERT' OR OLD.stage = 'warning';
  is_opened boolean := is_first OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL);
  is_closed boolean := NEW.ended_at IS NOT NULL AND (is_first OR OLD.ended_at IS NULL);
BEGIN
  IF NOT has_hooks() THEN RETURN NULL; END IF;
  FOR event IN SELECT 'dispute.opened' WHERE is_opened UNION ALL SELECT 'dispute.closed' WHERE is_closed LOOP
    PERFORM tell_hooks(event, seller_id, data) FROM (SELECT DISTINCT seller_id FROM order_lines WHERE order_id = NEW.order_id) sellers;
    PERFORM tell_hooks(event, NULL, data || jsonb_build_object('currency', 'USD', 'amount', dollars(NEW.amount_cents),
      'provider', NEW.provider));
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER disputes_hooks AFTER INSERT ON disputes FOR EACH ROW
  WHEN (NEW.stage <> 'warning') EXECUTE FUNCTION tell_hooks_of_dispute();
CREATE TRIGGER disputes_change_hooks AFTER UPDATE OF stage, ended_at ON disputes FOR EACH ROW
  WHEN (NEW.stage <> 'warning' AND (OLD.stage = 'warning' OR (OLD.ended_at IS NULL) <> (NEW.ended_at IS NULL)))
  EXECUTE FUNCTION tell_hooks_of_dispute();
