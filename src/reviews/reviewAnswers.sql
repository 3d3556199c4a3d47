-- A shown review of a product of the seller, with why staff hid its answer.
-- @name lockReview
-- @null taken_down
SELECT r.id, a.taken_down FROM reviews r JOIN products p ON p.id = r.product_id LEFT JOIN review_answers a ON a.review_id = r.id
WHERE r.id = :id AND p.seller_id = :sellerId AND r.hidden_at IS NULL FOR UPDATE OF r;

-- An unchanged answer is not edited. No row: staff hid the answer.
-- @name writeAnswer
-- @null edited_at
INSERT INTO review_answers AS a (review_id, body) VALUES (:id, :text)
ON CONFLICT (review_id) DO UPDATE SET body = excluded.body,
  edited_at = CASE WHEN a.body = excluded.body THEN a.edited_at ELSE now() END
  WHERE a.taken_down IS NULL
RETURNING body AS text, iso_of(created_at) AS created_at, iso_of(edited_at) AS edited_at;

-- No row: the answer is not the text that staff read, or is hidden or shown already.
-- @name hideAnswer
-- @null why
UPDATE review_answers SET taken_down = :why::text
WHERE review_id = :id AND body = :text AND (taken_down IS NULL) <> (:why::text IS NULL) RETURNING review_id;

-- @name listHiddenAnswers
SELECT a.review_id, a.body AS text, coalesce(a.taken_down, '') AS why FROM review_answers a
WHERE a.review_id = ANY (:ids::uuid[]) AND a.taken_down IS NOT NULL;
