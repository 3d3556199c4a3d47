-- Views of moderation for other rooms.

-- A case with the column names of its JSON.
CREATE OR REPLACE VIEW case_card AS
SELECT c.id, c.product_id AS "productId", p.title, p.category_id AS "categoryId",
  '/images/' || p.image_object_id || '/640.webp' AS "imageUrl", c.review_id IS NOT NULL AS "isReview",
  (SELECT mode() WITHIN GROUP (ORDER BY reason) FROM reports WHERE case_id = c.id) AS reason,
  (SELECT count(*) FROM reports WHERE case_id = c.id) AS reports,
  iso_of(c.last_at) AS "lastAt", c.decision, c.answered_at IS NOT NULL AS "isAnswered",
  -- members who left staff work on no case
  (SELECT w.email FROM staff_member w WHERE w.id = c.taken_by) AS "takenBy", iso_of(c.answer_by) AS "answerBy"
FROM report_cases c JOIN products p ON p.id = c.product_id;

-- Sellers as JSON for staff.
CREATE OR REPLACE VIEW seller_standing AS
SELECT s.id, json_build_object('id', s.id, 'name', shown_name(s, 'Primo seller'), 'email', s.email, 'since', iso_of(s.created_at),
  'listed', (SELECT count(*) FROM (SELECT FROM products WHERE seller_id = s.id AND is_listed LIMIT 10000) listed),
  'takeDowns', (SELECT count(*) FROM products q JOIN report_cases d ON d.product_id = q.id
    WHERE q.seller_id = s.id AND d.review_id IS NULL AND d.decision IN ('taken_down', 'restored')),
  'suspension', (SELECT json_build_object('reason', b.reason, 'at', iso_of(b.created_at), 'endsAt', iso_of(b.ends_at))
    FROM suspensions b WHERE b.seller_id = s.id AND b.lifted_at IS NULL)) AS seller
FROM users s;

-- Reports that wait for staff, since the oldest report that staff have not decided about, or since the seller's answer to a
-- decision. A case that waits for an answer of the seller returns when the time for it ends.
CREATE OR REPLACE VIEW waiting_report AS
SELECT c.id, coalesce(CASE WHEN c.decision IS NULL THEN (SELECT min(r.created_at) FROM reports r WHERE r.case_id = c.id) END, c.last_at)
    AS since, NULL::timestamptz AS due_at, c.taken_by AS owner_id,
  (SELECT p.title FROM products p WHERE p.id = c.product_id) AS about, NULL::bigint AS cents
FROM report_cases c
WHERE c.is_waiting AND NOT coalesce(c.decision IS NULL AND c.answered_at IS NULL AND c.answer_by > now(), false);
