-- Functions of reviews for other rooms.

-- A review that is shown, or that staff hid. A review that a refund hid does not count.
CREATE OR REPLACE FUNCTION is_own(n reviews) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT n.hidden_at IS NULL OR n.taken_down IS NOT NULL $$;
