-- Every row of `verifications` holds a JSON claim. Rows of any other form are reset links of the former library.
DELETE FROM verifications WHERE value NOT LIKE '{%';
ALTER TABLE verifications ALTER COLUMN value TYPE jsonb USING value::jsonb;

-- Another provider's tokens are checked at sign-in and never stored.
ALTER TABLE accounts
  DROP COLUMN access_token,
  DROP COLUMN refresh_token,
  DROP COLUMN id_token,
  DROP COLUMN access_token_expires_at,
  DROP COLUMN refresh_token_expires_at,
  DROP COLUMN scope;
