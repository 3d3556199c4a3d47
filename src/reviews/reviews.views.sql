-- Returns true for a visible review or one that staff hid, and false for one that only a refund hid.
CREATE OR REPLACE FUNCTION is_own(n reviews) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT n.hidden_at IS NULL OR n.taken_down IS NOT NULL $$;

-- A review with the column names of its JSON.
CREATE OR REPLACE VIEW review_card AS
SELECT r.id, coalesce(r.sample_author, shown_name(u, 'A buyer')) AS author, r.stars, r.body AS text,
  iso_of(r.created_at) AS "createdAt", iso_of(r.edited_at) AS "editedAt", r.sample_author IS NOT NULL AS "isSample",
  (SELECT json_build_object('text', a.body, 'createdAt', iso_of(a.created_at), 'editedAt', iso_of(a.edited_at))
    FROM review_answers a WHERE a.review_id = r.id AND a.taken_down IS NULL) AS answer
FROM reviews r LEFT JOIN users u ON u.id = r.user_id;
