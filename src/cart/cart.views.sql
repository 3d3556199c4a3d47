-- A line of a cart with the data of its product and the discount code that fits it.
CREATE OR REPLACE VIEW cart_line AS
SELECT l.id, l.user_id, l.product_id, l.created_at, l.price_cents AS added_cents,
  price.cents AS unit_cents,
  -- a member gets one copy of a free product
  CASE WHEN price.cents = 0 THEN 1 ELSE l.quantity END AS quantity,
  p.seller_id, p.title, brief(p.description) AS brief, p.category_id, p.is_on_sale, p.suggested_cents, p.image_object_id,
  p.variant_of, min_cents(p, bundle.parts) AS min_cents,
  coalesce(bundle.is_one_enough, is_one_enough(p.delivery)) AS is_one_enough,
  coalesce(bundle.earns_bonus, true) AS earns_bonus,
  c.is_cash OR coalesce(bundle.is_cash, false) AS is_cash,
  bundle.titles AS part_titles, bundle.once_ids,
  -- the products of which the shopper needs only one copy
  bundle.once_ids || CASE WHEN is_one_enough(p.delivery) THEN p.id END AS needed_once,
  d.id AS discount_id, d.code AS discount_code, d.percent AS discount_percent, d.amount_cents AS discount_cents,
  CASE WHEN d.id IS NOT NULL THEN discount_problem(d, l.user_id) END AS discount_problem
FROM cart_items l
JOIN products p ON p.id = l.product_id
JOIN categories c ON c.id = p.category_id
CROSS JOIN LATERAL (SELECT price_of(p, CASE WHEN l.is_chosen THEN l.price_cents END) AS cents) price
LEFT JOIN LATERAL bundle_contents(p.id) bundle ON p.delivery = 'bundle'
LEFT JOIN cart_discounts k ON k.user_id = l.user_id AND k.seller_id = p.seller_id
LEFT JOIN discounts d ON d.id = k.discount_id AND (d.is_for_all
  OR EXISTS (SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id IN (p.id, p.variant_of)));
