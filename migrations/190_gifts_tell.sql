-- Open pages of the giver and of who claimed a gift learn that it changed, never who the other is.
CREATE OR REPLACE FUNCTION tell_giver() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', o.user_id || ' orders') FROM order_lines l JOIN orders o ON o.id = l.order_id
    WHERE l.id = NEW.order_line_id;
  IF NEW.claimed_by IS NOT NULL THEN PERFORM pg_notify('members', NEW.claimed_by || ' orders'); END IF;
  RETURN NULL;
END $$;
DROP TRIGGER gifts_tell ON gifts;
CREATE TRIGGER gifts_tell AFTER UPDATE OF state, quantity ON gifts FOR EACH ROW EXECUTE FUNCTION tell_giver();
