-- A session of staff can show the shop as a member until `view_ends_at`. No reference: an erased account keeps its row.
ALTER TABLE sessions ADD COLUMN viewed_id uuid,
  ADD COLUMN view_ends_at timestamptz CHECK ((view_ends_at IS NULL) = (viewed_id IS NULL));

-- Records the end of each view. Staff, the end of their session, a change of their role, or the time can end a view.
CREATE FUNCTION record_view_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit (actor_id, act, subject_id, details)
  VALUES (OLD.user_id, 'account.view_ended', OLD.viewed_id::text,
    jsonb_build_object('at', iso_of(least(now(), OLD.view_ends_at)), 'until', iso_of(OLD.view_ends_at)));
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_view_end AFTER UPDATE OF viewed_id OR DELETE ON sessions FOR EACH ROW
  WHEN (OLD.viewed_id IS NOT NULL) EXECUTE FUNCTION record_view_end();

-- Ends the views of an account that is erased or gets another role.
CREATE FUNCTION end_views_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sessions SET viewed_id = NULL, view_ends_at = NULL WHERE viewed_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_end_views AFTER UPDATE OF role, erased_at ON users FOR EACH ROW
  WHEN (OLD.role IS DISTINCT FROM NEW.role OR OLD.erased_at IS DISTINCT FROM NEW.erased_at)
  EXECUTE FUNCTION end_views_of_account();
