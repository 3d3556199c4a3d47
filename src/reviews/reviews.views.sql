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

-- True if the shop may ask a member for a review: the member bought the product, can open it, has not reviewed it and
-- wants such requests. Gifts, own products and products that are off sale are left out.
CREATE OR REPLACE FUNCTION may_be_asked(person uuid, product uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u JOIN products p ON p.id = product
    WHERE u.id = person AND u.wants_review_requests AND u.erased_at IS NULL AND NOT is_seller_suspended(u.id)
      AND p.is_listed AND p.seller_id <> u.id)
  AND EXISTS (SELECT FROM open_copy c JOIN entitlements e ON e.id = c.entitlement_id
    WHERE c.user_id = person AND c.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(product) w)) AND NOT e.is_gift)
  AND NOT EXISTS (SELECT FROM reviews n WHERE n.user_id = person AND n.product_id = product AND is_own(n))
$$;
