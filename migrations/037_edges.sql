-- A kept wallet that is removed is revoked at the provider too. Until that is done its reference stays, and no longer.
ALTER TABLE wallets ADD COLUMN revoked_at timestamptz, ADD COLUMN revocation_asked_at timestamptz;

-- Captures that the provider is known to have declined: late news of one of them says nothing of the try that followed.
ALTER TABLE payments ADD COLUMN declined_captures text[] NOT NULL DEFAULT '{}';

-- When a deletion that had begun was called off, so that it can be said.
ALTER TABLE users ADD COLUMN kept_at timestamptz;
CREATE OR REPLACE FUNCTION keep_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET erase_at = NULL, kept_at = now() WHERE id = NEW.user_id AND erase_at IS NOT NULL;
  IF FOUND THEN
    PERFORM graphile_worker.add_job('account_kept', json_build_object('id', NEW.user_id),
      job_key => 'account_kept:' || NEW.user_id);
  END IF;
  RETURN NULL;
END $$;
