-- `role` replaces the role of the account: a session has none while staff see the shop as this member.
-- @name readUser
-- @null role
SELECT json_build_object('id', u.id, 'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name,
  'profileImageUrl', u.image, 'isAdmin', s.role = 'admin', 'role', s.role, 'createdAt', iso_of(u.created_at),
  'emailVerified', u.email_verified, 'twoFactorEnabled', f.confirmed_at IS NOT NULL,
  'needsFactor', s.role <> 'member' AND f.confirmed_at IS NULL AND NOT EXISTS (SELECT FROM passkeys WHERE user_id = u.id),
  'isSeller', EXISTS (SELECT FROM products WHERE seller_id = u.id),
  'isNewShopper', NOT EXISTS (SELECT FROM orders WHERE user_id = u.id AND completed_at IS NOT NULL AND total_cents > 0))::text AS json
FROM users u CROSS JOIN LATERAL (SELECT coalesce(:role::text, u.role) AS role) s LEFT JOIN second_factors f ON f.user_id = u.id
WHERE u.id = :id;
