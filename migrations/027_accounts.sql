-- What became of a mail that its server refused for good, and the way out of mails that nobody has to have.
ALTER TABLE mails ADD COLUMN refused_at timestamptz, ADD COLUMN unsubscribe_url text;
CREATE INDEX mails_recipient ON mails (recipient, created_at DESC);

-- An account that is to be erased, and when that was done. The row stays, without a word about its owner: orders,
-- books and what was sold hang on it.
ALTER TABLE users ADD COLUMN erase_at timestamptz, ADD COLUMN erased_at timestamptz;
CREATE INDEX users_erase ON users (erase_at) WHERE erase_at IS NOT NULL;

-- Whoever signs in again wants to stay.
CREATE FUNCTION keep_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET erase_at = NULL WHERE id = NEW.user_id AND erase_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_keep_account AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION keep_account();

-- Everything that would go with the account's row goes: a table that belongs to its owner says so by ON DELETE CASCADE.
CREATE FUNCTION erase_belongings(owner uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE belonging record;
BEGIN
  FOR belonging IN
    SELECT c.conrelid::regclass AS place, a.attname AS name
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass AND c.confdeltype = 'c'
  LOOP
    EXECUTE format('DELETE FROM %s WHERE %I = $1', belonging.place, belonging.name) USING owner;
  END LOOP;
END $$;

-- What was delivered stays written down; where its buyer was can be forgotten, and nothing else of it changes.
CREATE FUNCTION refuse_change_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.ip_address IS NULL AND to_jsonb(NEW) - 'ip_address' = to_jsonb(OLD) - 'ip_address' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
DROP TRIGGER delivery_events_append_only ON delivery_events;
CREATE TRIGGER delivery_events_append_only BEFORE UPDATE OR DELETE ON delivery_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting();
