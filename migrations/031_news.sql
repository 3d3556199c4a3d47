-- Pages that are open hear that something of theirs has changed: whose, and what; never what it says.
CREATE FUNCTION tell_member_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' orders');
  RETURN NULL;
END $$;
CREATE TRIGGER orders_tell_new AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION tell_member_of_order();
CREATE TRIGGER orders_tell AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_member_of_order();

CREATE FUNCTION tell_member_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' chat');
  -- whoever of the staff has the inbox open
  PERFORM pg_notify('members', '* inbox');
  RETURN NULL;
END $$;
CREATE TRIGGER chat_messages_tell AFTER INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION tell_member_of_chat();
