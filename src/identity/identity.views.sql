-- Functions and views about members for other rooms.

-- Returns the public name of a member: first name and initial of the surname. `nobody` is the name if there is none.
CREATE OR REPLACE FUNCTION shown_name(u users, nobody text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN u.erased_at IS NOT NULL THEN 'Former member'
    WHEN u.first_name IS NULL OR btrim(u.first_name) = '' THEN nobody
    ELSE btrim(u.first_name) || coalesce(' ' || nullif(left(btrim(u.last_name), 1), '') || '.', '') END
$$;

-- Members with the role support or admin.
CREATE OR REPLACE VIEW staff_member AS
SELECT u.id, u.email FROM users u WHERE u.erased_at IS NULL AND u.role IN ('support', 'admin');
