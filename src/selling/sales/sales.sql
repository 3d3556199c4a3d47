-- A seller's sales in a period and in the period before. `is_late`: the product sums do not include today yet.
-- @name readSummary
WITH by_day AS (SELECT * FROM daily_sums(:sellerId, utc_day(now()) - 2 * :days::int)),
sums AS (SELECT day > utc_day(now()) - :days AS is_now, json_build_object('revenue', decimal_of(sum(gross_cents)::bigint),
    'refunded', decimal_of(sum(returned_cents)::bigint), 'net', decimal_of(sum(net_cents)::bigint), 'orders', sum(orders),
    'sales', sum(sales), 'views', sum(views)) AS sum
  FROM (SELECT * FROM by_day
    UNION ALL SELECT utc_day(now()) - n, 0, 0, 0, 0, 0, 0 FROM unnest(ARRAY[0, :days]) n) counted GROUP BY 1)
SELECT json_build_object('from', utc_day(now()) - :days + 1, 'to', utc_day(now()),
  'now', (SELECT sum FROM sums WHERE is_now), 'before', (SELECT sum FROM sums WHERE NOT is_now),
  'days', (SELECT coalesce(json_agg(json_build_object('day', day, 'revenue', decimal_of(gross_cents), 'orders', orders) ORDER BY day), '[]')
    FROM by_day WHERE day > utc_day(now()) - :days AND orders > 0),
  'products', (SELECT coalesce(json_agg(json_build_object('product', row_to_json(p), 'revenue', decimal_of(b.gross_cents),
      'sales', b.sales, 'views', b.views) ORDER BY b.gross_cents DESC, b.key), '[]')
    FROM best_products(:sellerId, :days, 5) b JOIN brief_card p ON p.id = b.key::uuid),
  'countries', (SELECT coalesce(json_agg(json_build_object('code', key, 'revenue', decimal_of(gross_cents), 'orders', orders)
      ORDER BY gross_cents DESC, key), '[]')
    FROM best_countries(:sellerId, utc_day(now()) - :days, 8)))::text AS json,
  EXISTS (SELECT FROM product_sum_days WHERE seller_id = :sellerId AND day < utc_day(now())) AS is_late;

-- @name moveSums
SELECT FROM move_product_sums(:sellerId);

-- `state` is 'paid' or null. Use `listRefunded` for refunded sales.
-- @name listSales
-- @null days, after, state, next
WITH page AS (SELECT e AS sale, row_number() OVER (ORDER BY e.earned_at DESC, e.order_line_id) AS n
  FROM newest_sales(:sellerId, :after, utc_day(now()) - :days::int + 1, :state::text, :limit::int) e)
SELECT coalesce(json_agg(sale_card(page.sale, l) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(l.id ORDER BY n))[:limit] END AS next,
  (SELECT c.total FROM count_sales(:sellerId, NULL, utc_day(now()) - :days + 1, :state) c) AS total
FROM page JOIN order_lines l ON l.id = (page.sale).order_line_id;

-- @name listRefunded
-- @null days, after, next
WITH page AS (SELECT e AS sale, row_number() OVER (ORDER BY e.earned_at DESC, e.order_line_id) AS n
  FROM newest_sales(:sellerId, :after, utc_day(now()) - :days::int + 1, 'refunded', :limit::int) e)
SELECT coalesce(json_agg(sale_card(page.sale, l) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(l.id ORDER BY n))[:limit] END AS next,
  (SELECT c.total FROM count_sales(:sellerId, NULL, utc_day(now()) - :days + 1, 'refunded') c) AS total
FROM page JOIN order_lines l ON l.id = (page.sale).order_line_id;

-- @name listSalesOf
-- @null days, after, state, next
WITH page AS (SELECT e AS sale, row_number() OVER (ORDER BY e.earned_at DESC, e.order_line_id) AS n
  FROM newest_sales_of(:productId, :sellerId, :after, utc_day(now()) - :days::int + 1, :state::text, :limit::int) e)
SELECT coalesce(json_agg(sale_card(page.sale, l) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(l.id ORDER BY n))[:limit] END AS next,
  (SELECT c.total FROM count_sales(:sellerId, :productId, utc_day(now()) - :days + 1, :state) c) AS total
FROM page JOIN order_lines l ON l.id = (page.sale).order_line_id;

-- @name listRefundedOf
-- @null days, after, next
WITH page AS (SELECT e AS sale, row_number() OVER (ORDER BY e.earned_at DESC, e.order_line_id) AS n
  FROM newest_sales_of(:productId, :sellerId, :after, utc_day(now()) - :days::int + 1, 'refunded', :limit::int) e)
SELECT coalesce(json_agg(sale_card(page.sale, l) ORDER BY n) FILTER (WHERE n <= :limit), '[]')::text AS json,
  CASE WHEN count(*) > :limit THEN (array_agg(l.id ORDER BY n))[:limit] END AS next,
  (SELECT c.total FROM count_sales(:sellerId, :productId, utc_day(now()) - :days + 1, 'refunded') c) AS total
FROM page JOIN order_lines l ON l.id = (page.sale).order_line_id;

-- @name readSale
-- @null buyer_email, delivered_at, closed_at
-- @type sale: object
-- @type uses: { kind: import('../../delivery/uses.rules.ts').Use; isGift: boolean; count: number; days: number; firstAt: string; lastAt: string }[]
-- @type license: import('./soldKey.rules.ts').SoldKey | null
SELECT sale_card(e, l) AS sale, decimal_of(l.price_cents * l.quantity) AS list_price, decimal_of(l.discount_cents) AS discount,
  iso_of(e.available_at) AS available_at, decimal_of(e.returned_fee_cents) AS refunded_fee,
  e.returned_quantity AS returned_copies, o.user_id = e.seller_id AS is_own,
  shown_email(u, :showsEmail) AS buyer_email, l.delivery AS kind,
  iso_of(n.created_at) AS delivered_at, iso_of(n.revoked_at) AS closed_at,
  coalesce((SELECT g.copies FROM given_copies g WHERE g.order_line_id = l.id), 0) AS given, uses_of_sale(l.id) AS uses,
  l.delivery = 'file' AND EXISTS (SELECT FROM products p WHERE p.id = l.product_id AND p.seller_id = e.seller_id AND p.deleted_at IS NULL
    AND p.suggested_cents IS NULL AND p.price_cents > 0) AS can_give_copy,
  (SELECT json_build_object('id', k.id, 'prefix', k.prefix, 'ending', k.ending, 'state', k.state, 'seats', k.seats,
    'used', k.used, 'limit', k."limit", 'expiresAt', iso_of(k.expires_at)) FROM known_license k WHERE k.order_line_id = l.id) AS license
FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = e.order_id JOIN users u ON u.id = o.user_id
LEFT JOIN entitlements n ON n.order_line_id = l.id
WHERE e.order_line_id = :id AND e.seller_id = :sellerId;
