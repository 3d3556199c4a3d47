-- The cookie's token is not kept, only its SHA-256 (base64url): a copied table opens no session, not even with SECRET.
ALTER TABLE sessions RENAME COLUMN token TO token_hash;
ALTER TABLE sessions RENAME CONSTRAINT sessions_token_key TO sessions_token_hash_key;
ALTER TABLE sessions
  -- when whoever sits there has shown last who they are
  ADD COLUMN verified_at timestamptz NOT NULL DEFAULT now(),
  -- where they signed in
  ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$');

CREATE OR REPLACE FUNCTION tell_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', OLD.token_hash);
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION tell_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', token_hash) FROM sessions WHERE user_id = OLD.id;
  RETURN NULL;
END $$;

UPDATE sessions SET verified_at = created_at,
  token_hash = translate(rtrim(encode(sha256(convert_to(token_hash, 'UTF8')), 'base64'), '='), '+/', '-_');
ALTER TABLE sessions ADD CONSTRAINT sessions_token_is_hash CHECK (length(token_hash) = 43);

-- Another role begins with another session, whoever gave it.
CREATE FUNCTION end_sessions_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_role AFTER UPDATE OF role ON users FOR EACH ROW
  WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION end_sessions_of_role();
