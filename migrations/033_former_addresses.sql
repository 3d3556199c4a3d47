-- Addresses an account has had, so that erasing it finds what was mailed to them. Gone with the account's belongings.
CREATE TABLE former_addresses (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL,
  PRIMARY KEY (user_id, email)
);

-- The text of an event names the payer, and nothing reads it once the event is worked off.
UPDATE webhook_events SET body = '' WHERE processed_at IS NOT NULL;
-- Who earned a bonus is only ever compared.
UPDATE credit_bonuses SET payer = encode(sha256(convert_to(payer, 'UTF8')), 'hex') WHERE payer IS NOT NULL;
-- Wallets of accounts that were erased before.
UPDATE wallets SET vault_id = 'erased-' || id WHERE user_id IN (SELECT id FROM users WHERE erased_at IS NOT NULL);
