-- When a code was first shown to its owner. Codes that nobody has seen are sold again after a refund. Each reveal is an event,
-- so the event marks the codes: no route can forget it.
ALTER TABLE codes ADD COLUMN seen_at timestamptz;

-- PIN and serial number of a card, sealed. `ciphertext` stays the number alone, as the former release reads it.
ALTER TABLE codes ADD COLUMN sealed_parts bytea;

CREATE FUNCTION mark_codes_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE codes c SET seen_at = NEW.created_at FROM entitlements e
    WHERE e.id = NEW.entitlement_id AND c.order_line_id = e.order_line_id AND c.state = 'sold' AND c.gift_id IS NULL AND c.seen_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_events_seen AFTER INSERT ON delivery_events FOR EACH ROW
  WHEN (NEW.kind = 'reveal') EXECUTE FUNCTION mark_codes_seen();

UPDATE codes c SET seen_at = v.created_at FROM entitlements e
  JOIN (SELECT entitlement_id, min(created_at) AS created_at FROM delivery_events WHERE kind = 'reveal' GROUP BY 1) v
    ON v.entitlement_id = e.id
  WHERE c.order_line_id = e.order_line_id;
