-- Webhook events of refunds, licences and gifts. A seller receives those of the own lines, the shop all. No event
-- names the buyer.

CREATE FUNCTION has_hooks() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT EXISTS (SELECT FROM hook_endpoints WHERE disabled_at IS NULL) $$;

CREATE FUNCTION tell_hooks_of_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_hooks() THEN
    PERFORM tell_hooks('refund.created', NEW.seller_id, jsonb_build_object('orderId', NEW.order_id, 'currency', 'USD',
      'amount', dollars(NEW.gross_cents), 'fee', dollars(NEW.fee_cents)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER earning_returns_hooks AFTER INSERT ON earning_returns FOR EACH ROW EXECUTE FUNCTION tell_hooks_of_return();

CREATE FUNCTION tell_hooks_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_hooks() THEN
    PERFORM tell_hooks('refund.created', NULL, jsonb_build_object('refundId', NEW.id, 'orderId', order_id,
      'currency', 'USD', 'amount', dollars(NEW.amount_cents))) FROM payments WHERE id = NEW.payment_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_hooks AFTER UPDATE OF status ON refunds FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status = 'completed') EXECUTE FUNCTION tell_hooks_of_refund();

CREATE FUNCTION tell_hooks_of_license() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE WHEN NEW.revoked_at IS NULL THEN 'license.created' ELSE 'license.revoked' END;
  line record;
  data jsonb;
BEGIN
  IF NOT has_hooks() THEN RETURN NULL; END IF;
  SELECT id, order_id, seller_id INTO line FROM order_lines WHERE id = NEW.order_line_id;
  data := jsonb_build_object('licenseId', NEW.id, 'orderId', line.order_id, 'lineId', line.id, 'productId', NEW.product_id,
    'keyEnding', NEW.ending, 'seats', NEW.seats, 'expiresAt', NEW.expires_at);
  PERFORM tell_hooks(event, line.seller_id, data);
  PERFORM tell_hooks(event, NULL, data);
  RETURN NULL;
END $$;
CREATE TRIGGER licenses_hooks AFTER INSERT ON licenses FOR EACH ROW EXECUTE FUNCTION tell_hooks_of_license();
CREATE TRIGGER licenses_end_hooks AFTER UPDATE OF revoked_at ON licenses FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION tell_hooks_of_license();

CREATE FUNCTION tell_hooks_of_gift() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE NEW.state WHEN 'open' THEN 'gift.created' WHEN 'claimed' THEN 'gift.claimed' ELSE 'gift.ended' END;
  line record;
  data jsonb;
BEGIN
  IF NOT has_hooks() THEN RETURN NULL; END IF;
  SELECT id, order_id, seller_id, product_id INTO line FROM order_lines WHERE id = NEW.order_line_id;
  data := jsonb_build_object('giftId', NEW.id, 'orderId', line.order_id, 'lineId', line.id, 'productId', line.product_id,
    'quantity', NEW.quantity);
  PERFORM tell_hooks(event, line.seller_id, data);
  PERFORM tell_hooks(event, NULL, data);
  RETURN NULL;
END $$;
CREATE TRIGGER gifts_hooks AFTER INSERT ON gifts FOR EACH ROW EXECUTE FUNCTION tell_hooks_of_gift();
CREATE TRIGGER gifts_state_hooks AFTER UPDATE OF state ON gifts FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND NEW.state <> 'open') EXECUTE FUNCTION tell_hooks_of_gift();
