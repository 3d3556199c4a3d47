-- Accounts, sessions, ways to sign in, and the audit log of staff.

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) <= 254),
  email_verified boolean NOT NULL DEFAULT false,
  name text NOT NULL DEFAULT '',
  first_name text CHECK (length(first_name) <= 80),
  last_name text CHECK (length(last_name) <= 80),
  image text,
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'support', 'finance', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- the account wants news by email; receipts are always sent
  wants_news boolean NOT NULL DEFAULT false,
  picture_object_id uuid UNIQUE,
  -- when the account will be erased, and when it was. The row remains without personal data, because orders refer to it
  erase_at timestamptz,
  erased_at timestamptz,
  -- when a sign-in canceled the erasure
  kept_at timestamptz,
  -- a mail provider reported that the address accepts no mail; cleared when a mailed link is opened
  mail_refused_at timestamptz,
  mail_refusal text CHECK (length(mail_refusal) <= 300),
  -- the account wants a mail about newer versions of its files
  wants_versions boolean NOT NULL DEFAULT true
);
CREATE INDEX users_erase ON users (erase_at) WHERE erase_at IS NOT NULL;
-- for the prefix search of staff
CREATE INDEX users_email_prefix ON users (email text_pattern_ops);
CREATE INDEX users_id_text ON users ((id::text));
CREATE INDEX users_erased ON users (id) WHERE erased_at IS NOT NULL;
CREATE INDEX users_created ON users (created_at);
CREATE INDEX users_words ON users
  USING gin (to_tsvector('simple', search_text(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))));
CREATE INDEX users_staff ON users (created_at) WHERE role <> 'member';

-- Earlier addresses of an account, so that erasing it also finds the mails sent there.
CREATE TABLE former_addresses (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL,
  PRIMARY KEY (user_id, email)
);

-- How an account signs in: with a password or at an identity provider.
CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- hash of the password
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX accounts_user ON accounts (user_id);

-- Pending links and challenges: sign-up, reset, address change, deletion.
CREATE TABLE verifications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- SHA-256 of the cookie's token in base64url: a stolen copy of the table opens no session, even with SECRET
  token_hash text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- time of the last fresh proof of identity
  verified_at timestamptz NOT NULL DEFAULT now(),
  -- country of the sign-in
  country text CHECK (country ~ '^[A-Z]{2}$'),
  -- when staff last used a staff page with this session
  staff_used_at timestamptz,
  CONSTRAINT sessions_token_is_hash CHECK (length(token_hash) = 43)
);
CREATE INDEX sessions_user ON sessions (user_id);

-- Every node caches sessions. A change of a session or its account evicts them from all caches.
CREATE FUNCTION tell_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', OLD.token_hash);
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_tell AFTER UPDATE OR DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION tell_session();

CREATE FUNCTION tell_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sessions', token_hash) FROM sessions WHERE user_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_tell AFTER UPDATE ON users FOR EACH ROW EXECUTE FUNCTION tell_user();

-- Revokes everything that the former role granted, whichever program changes the role.
CREATE FUNCTION revoke_role(account uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- push subscriptions belong to sessions, so they end too
  DELETE FROM sessions WHERE user_id = account;
  DELETE FROM trusted_browsers WHERE user_id = account;
  -- the log of these endpoints contains the orders of all sellers
  DELETE FROM hook_endpoints WHERE user_id = account AND is_for_shop;
  UPDATE chat_conversations SET assignee_id = NULL WHERE assignee_id = account;
  DELETE FROM chat_presence WHERE staff_id = account;
  UPDATE report_cases SET taken_by = NULL WHERE taken_by = account AND is_waiting;
  -- a decision counts only while the person who made it has the role for it
  DELETE FROM payout_confirmations WHERE staff_id = account;
  -- a rejected approval remains, because it records who rejected it
  DELETE FROM refund_approvals WHERE asked_by = account AND state = 'waiting';
END $$;

CREATE FUNCTION end_sessions_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM revoke_role(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER users_role AFTER UPDATE OF role ON users FOR EACH ROW
  WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION end_sessions_of_role();

-- A sign-in cancels a pending erasure. A job notifies the owner by mail.
CREATE FUNCTION keep_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET erase_at = NULL, kept_at = now() WHERE id = NEW.user_id AND erase_at IS NOT NULL;
  IF FOUND THEN
    PERFORM graphile_worker.add_job('account_kept', json_build_object('id', NEW.user_id),
      job_key => 'account_kept:' || NEW.user_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_keep_account AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION keep_account();

-- Deletes the rows that reference an account with ON DELETE CASCADE. Tables mark personal data that way.
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

-- Passkeys. The table contains only public keys, so a stolen copy does not allow a sign-in.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- base64url, as the browser sends it
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1400),
  public_key bytea NOT NULL,
  -- number of signatures; always 0 for a synced passkey
  counter bigint NOT NULL DEFAULT 0,
  -- usb, nfc, internal, hybrid ..., separated by commas; a hint for the browser
  transports text NOT NULL DEFAULT '',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- The shared secret of an authenticator app. It is in use once it is confirmed.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- encrypted with a key derived from SECRET
  sealed_secret text NOT NULL,
  confirmed_at timestamptz,
  -- the time step of the newest accepted code; codes up to it are rejected
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One-time codes that replace the authenticator app.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  code_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, code_hash)
);

-- Browsers that skip the second factor for a while.
CREATE TABLE trusted_browsers (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX trusted_browsers_user ON trusted_browsers (user_id);

-- Acts of staff. Actor and subject are ids without a reference, because an account may be erased later.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- null for the command line
  actor_id uuid,
  act text NOT NULL CHECK (act ~ '^[a-z]+\.[a-z_]+$' AND length(act) <= 60),
  subject_id text CHECK (length(subject_id) <= 200),
  -- contains no personal data
  details jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(details) = 'object'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_act ON audit (split_part(act, '.', 1), id DESC);
CREATE INDEX audit_actor ON audit (actor_id, id DESC);
CREATE INDEX audit_subject ON audit (subject_id, id DESC);
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The search text of a product contains the name of its seller.
CREATE FUNCTION index_products_of_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- an update without rows would also evict the catalogue from all caches
  IF EXISTS (SELECT FROM products WHERE seller_id = NEW.id) THEN
    UPDATE products SET seller_id = seller_id WHERE seller_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_index_products AFTER UPDATE OF first_name, last_name, erased_at ON users FOR EACH ROW
  WHEN ((OLD.first_name, OLD.last_name, OLD.erased_at) IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.erased_at))
  EXECUTE FUNCTION index_products_of_seller();

-- Browsers that an account has signed in with, by the hash of their cookie.
CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  token_hash text NOT NULL CHECK (length(token_hash) = 43),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, token_hash)
);
