-- @name readSeller
SELECT json_build_object('id', u.id, 'handle', s.handle, 'name', shown_name(u, 'Primo seller'),
  'bio', CASE WHEN b.is_suspended THEN '' ELSE s.bio END,
  'avatarUrl', CASE WHEN NOT b.is_suspended AND u.image LIKE '/images/%' THEN u.image END, 'since', iso_of(s.opened_at),
  'design', (SELECT d.design FROM storefront_design d WHERE d.user_id = u.id AND NOT b.is_suspended),
  'canFollow', NOT is_seller_suspended(u.id),
  'products', (SELECT count(*) FROM products p WHERE p.seller_id = u.id AND p.is_listed),
  'rated', (SELECT CASE WHEN r.reviews > 0 THEN json_build_object('stars', round(r.stars::numeric / r.reviews, 1),
      'reviews', r.reviews, 'samples', r.samples) END
    FROM (SELECT sum(r.stars_1 + r.stars_2 + r.stars_3 + r.stars_4 + r.stars_5) AS reviews, sum(r.samples) AS samples,
        sum(r.stars_1 + 2 * r.stars_2 + 3 * r.stars_3 + 4 * r.stars_4 + 5 * r.stars_5) AS stars
      FROM products p JOIN ratings r ON r.product_id = p.id WHERE p.seller_id = u.id AND p.deleted_at IS NULL) r))::text AS json
FROM seller_handles h JOIN storefronts s ON s.user_id = h.user_id JOIN users u ON u.id = s.user_id
CROSS JOIN LATERAL (SELECT EXISTS (
  SELECT FROM suspensions WHERE seller_id = u.id AND lifted_at IS NULL) AS is_suspended) b
WHERE h.handle = :handle AND s.opened_at IS NOT NULL;

-- The page as its seller edits it.
-- @name readOwnPage
SELECT json_build_object('handle', s.handle, 'bio', coalesce(s.bio, ''), 'isOpen', s.opened_at IS NOT NULL,
  'design', d.design, 'featuredId', d.featured_product_id)::text AS json
FROM users u LEFT JOIN storefronts s ON s.user_id = u.id LEFT JOIN storefront_design d ON d.user_id = u.id
WHERE u.id = :userId;
