-- Views and functions of sales.

-- Daily sales, including events that the job has not added yet. `net_cents` is what the seller keeps.
CREATE OR REPLACE FUNCTION daily_sums(seller uuid, after_day date) RETURNS TABLE (day date, orders int, sales int, gross_cents bigint,
    returned_cents bigint, net_cents bigint, views int) LANGUAGE sql STABLE AS $$
  SELECT d.day, sum(d.orders)::int, sum(d.sales)::int, sum(d.gross_cents)::bigint, sum(d.returned_cents)::bigint,
    sum(d.gross_cents - d.fee_cents - d.returned_cents)::bigint, sum(d.views)::int
  FROM (SELECT s.day, s.orders, s.sales, s.gross_cents, s.fee_cents, s.returned_cents, s.views FROM sales_days s
      WHERE s.seller_id = seller AND s.kind = 'all' AND s.day > after_day
    UNION ALL SELECT e.day, e.orders, e.sales, e.gross_cents, e.fee_cents, e.returned_cents, 0 FROM seller_events e
      WHERE e.seller_id = seller AND e.day > after_day) d
  GROUP BY d.day
$$;

-- The best-selling products of a period. Pending events can reorder them, so one extra row per pending product is read.
CREATE OR REPLACE FUNCTION best_products(seller uuid, period int, most int) RETURNS TABLE (key text, sales int, gross_cents bigint,
    views int) LANGUAGE sql STABLE AS $$
  WITH pending AS MATERIALIZED (
    SELECT l.product_id::text AS key, e.day, e.sales, e.gross_cents FROM seller_events e JOIN order_lines l ON l.id = e.order_line_id
    WHERE e.seller_id = seller)
  SELECT d.key, sum(d.sales)::int AS sales, sum(d.gross_cents)::bigint AS gross_cents, sum(d.views)::int AS views
  FROM ((SELECT s.key, s.sales, s.gross_cents, s.views FROM product_sums s
      WHERE s.seller_id = seller AND s.days = period AND s.sales > 0
      ORDER BY s.gross_cents DESC, s.key LIMIT most + (SELECT count(DISTINCT w.key) FROM pending w))
    UNION SELECT s.key, s.sales, s.gross_cents, s.views FROM product_sums s
      WHERE s.seller_id = seller AND s.days = period AND s.key IN (SELECT w.key FROM pending w)
    UNION ALL SELECT w.key, w.sales, w.gross_cents, 0 FROM pending w WHERE w.day > utc_day(now()) - period) d
  GROUP BY d.key HAVING sum(d.sales) > 0 ORDER BY 3 DESC, 1 LIMIT most
$$;

CREATE OR REPLACE FUNCTION best_countries(seller uuid, after_day date, most int) RETURNS TABLE (key text, orders int, gross_cents bigint)
  LANGUAGE sql STABLE AS $$
  SELECT d.key, sum(d.orders)::int, sum(d.gross_cents)::bigint
  FROM (SELECT s.key, s.orders, s.gross_cents FROM sales_days s
      WHERE s.seller_id = seller AND s.kind = 'country' AND s.day > after_day
    UNION ALL SELECT country_of_order(l.order_id), e.orders, e.gross_cents
      FROM seller_events e JOIN order_lines l ON l.id = e.order_line_id WHERE e.seller_id = seller AND e.day > after_day) d
  GROUP BY d.key HAVING sum(d.orders) > 0 ORDER BY 3 DESC, 1 LIMIT most
$$;

-- A page of sales plus one, newest first. `state` is 'paid', 'refunded' or null. A constant 'refunded' allows an index.
CREATE OR REPLACE FUNCTION newest_sales(seller uuid, after uuid, since date, state text, page int) RETURNS SETOF earnings
  LANGUAGE sql STABLE AS $$
  SELECT e.* FROM earnings e
  WHERE e.seller_id = seller AND (state IS NULL OR state = 'paid' AND e.returned_cents = 0 OR state = 'refunded' AND e.returned_cents > 0)
    AND e.earned_at >= coalesce(since::timestamp AT TIME ZONE 'UTC', '-infinity')
    AND e.earned_at <= coalesce((SELECT a.earned_at FROM earnings a WHERE a.order_line_id = after AND a.seller_id = seller), 'infinity')
    AND (after IS NULL OR e.order_line_id > after
      OR e.earned_at < (SELECT a.earned_at FROM earnings a WHERE a.order_line_id = after AND a.seller_id = seller))
    AND NOT is_own_purchase(e.order_id, e.seller_id)
  ORDER BY e.earned_at DESC, e.order_line_id LIMIT page + 1
$$;

-- A page of sales of one product. Reads up to 5000 order lines one by one. With more, scans the seller's newest sales.
-- OFFSET 0 prevents joins of whole tables, because the planner underestimates the rows of a seller with many sales.
CREATE OR REPLACE FUNCTION newest_sales_of(product uuid, seller uuid, after uuid, since date, state text, page int)
  RETURNS SETOF earnings LANGUAGE sql STABLE AS $$
  WITH last AS MATERIALIZED (SELECT a.earned_at FROM earnings a WHERE a.order_line_id = after AND a.seller_id = seller),
  lines AS MATERIALIZED (SELECT l.id FROM order_lines l WHERE l.product_id = product LIMIT 5001)
  (SELECT e.* FROM lines CROSS JOIN LATERAL (SELECT * FROM earnings r WHERE r.order_line_id = lines.id OFFSET 0) e
    WHERE e.seller_id = seller AND (state IS NULL OR state = 'paid' AND e.returned_cents = 0 OR state = 'refunded' AND e.returned_cents > 0)
      AND e.earned_at >= coalesce(since::timestamp AT TIME ZONE 'UTC', '-infinity')
      AND e.earned_at <= coalesce((SELECT earned_at FROM last), 'infinity')
      AND (after IS NULL OR e.earned_at < (SELECT earned_at FROM last) OR e.order_line_id > after)
      AND NOT is_own_purchase(e.order_id, e.seller_id) AND (SELECT count(*) FROM lines) <= 5000
    ORDER BY e.earned_at DESC, e.order_line_id LIMIT page + 1)
  UNION ALL
  (SELECT e.* FROM earnings e
    CROSS JOIN LATERAL (SELECT FROM order_lines l WHERE l.id = e.order_line_id AND l.product_id = product OFFSET 0) l
    WHERE e.seller_id = seller AND (state IS NULL OR state = 'paid' AND e.returned_cents = 0 OR state = 'refunded' AND e.returned_cents > 0)
      AND e.earned_at >= coalesce(since::timestamp AT TIME ZONE 'UTC', '-infinity')
      AND e.earned_at <= coalesce((SELECT earned_at FROM last), 'infinity')
      AND (after IS NULL OR e.earned_at < (SELECT earned_at FROM last) OR e.order_line_id > after)
      AND NOT is_own_purchase(e.order_id, e.seller_id) AND (SELECT count(*) FROM lines) > 5000
    ORDER BY e.earned_at DESC, e.order_line_id LIMIT page + 1)
$$;

-- Counts sales since a day, of one product or of all.
CREATE OR REPLACE FUNCTION count_sales(seller uuid, product uuid, since date, state text) RETURNS TABLE (total int)
  LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT coalesce(sum(CASE state WHEN 'refunded' THEN c.refunds WHEN 'paid' THEN c.sales - c.refunds ELSE c.sales END), 0)::int
  FROM (SELECT d.sales, d.refunds FROM sales_days d
      WHERE d.seller_id = seller AND d.kind = CASE WHEN product IS NULL THEN 'all' ELSE 'product' END
        AND (product IS NULL OR d.key = product::text) AND (since IS NULL OR d.day >= since)
    UNION ALL SELECT s.sales, s.refunds FROM seller_events s
      WHERE s.seller_id = seller AND (since IS NULL OR s.day >= since) AND (product IS NULL
        OR EXISTS (SELECT FROM order_lines o WHERE o.id = s.order_line_id AND o.product_id = product))) c
$$;

-- A sale as its seller sees it. `net` is negative if the fee is higher than the price.
CREATE OR REPLACE FUNCTION sale_card(e earnings, l order_lines) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', e.order_line_id, 'number', right(e.order_id::text, 8), 'productId', l.product_id, 'title', l.title,
    'quantity', l.quantity, 'soldAt', iso_of(e.earned_at), 'amount', decimal_of(e.gross_cents), 'fee', decimal_of(e.fee_cents),
    'refunded', decimal_of(e.returned_cents), 'refundedFee', decimal_of(e.returned_fee_cents),
    'net', CASE WHEN net_cents(e) < 0 THEN '-' ELSE '' END || decimal_of(abs(net_cents(e))),
    'state', CASE WHEN e.gross_cents = 0 THEN 'free' WHEN e.is_disputed THEN 'disputed' WHEN e.returned_cents = 0 THEN 'paid'
      WHEN e.returned_cents < e.gross_cents THEN 'part_refunded' ELSE 'refunded' END,
    'country', country_of_order(e.order_id),
    'buyerName', (SELECT shown_name(u, 'A buyer') FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = e.order_id))
$$;

CREATE OR REPLACE FUNCTION own_status(p products) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p.is_listed THEN 'listed' WHEN p.taken_down IS NOT NULL OR p.is_suspended AND p.is_active THEN 'stopped'
    WHEN p.is_active THEN 'incomplete' WHEN p.withdrawn_at IS NULL THEN 'draft' ELSE 'withdrawn' END
$$;

-- Sales as the Sales page counts them: with refunded sales, without the seller's own purchases.
CREATE OR REPLACE FUNCTION is_counted(e entitlements, seller uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT NOT e.is_gift AND e.user_id <> seller $$;

-- Products as their seller sees them. `sales` of a bundle counts orders.
CREATE OR REPLACE VIEW own_product AS
SELECT p.id, p.seller_id, own_status(p) AS status, iso_of(p.created_at) AS "createdAt", iso_of(p.withdrawn_at) AS "withdrawnAt",
  p.delivery,
  CASE p.delivery WHEN 'code' THEN (SELECT count(*) FROM codes c
    WHERE c.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(p.id) w)) AND is_free_code(c)) END AS stock,
  CASE WHEN p.delivery = 'bundle' THEN (SELECT count(DISTINCT l.order_id) FROM order_lines l
      JOIN entitlements e ON e.order_line_id = l.id AND is_counted(e, p.seller_id) WHERE l.bundle_id = p.id)
    ELSE (SELECT count(*) FROM entitlements e WHERE e.product_id = ANY (ARRAY (SELECT w.id FROM with_variants(p.id) w))
      AND is_counted(e, p.seller_id)) END AS sales,
  c.views
FROM products p JOIN product_counts c ON c.product_id = p.id;

CREATE OR REPLACE VIEW own_card AS
SELECT b.id, b.title, b.description, b.price, b.suggested, b.most, b.kind, b."categoryId", b."imageUrl", b."imageColor", b."isActive",
  b."sellerName", b.rated, o.status, o."createdAt", o."withdrawnAt", o.delivery, o.stock, o.sales, o.views
FROM brief_card b JOIN own_product o ON o.id = b.id;

CREATE OR REPLACE FUNCTION own_part(q products) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', q.id, 'title', q.title, 'price', decimal_of(list_cents(q)), 'categoryId', q.category_id,
    'imageUrl', '/images/' || q.image_object_id || '/640.webp', 'kind', q.delivery, 'coverId', q.variant_of, 'isOnSale', q.is_on_sale)
$$;

CREATE OR REPLACE VIEW own_variant AS
SELECT w.variant_of, w.variant_position, w.id, json_build_object('id', w.id, 'name', w.variant_name, 'price', decimal_of(w.price_cents),
  'isActive', w.is_active, 'isOnSale', w.is_on_sale,
  'stock', CASE w.delivery WHEN 'code' THEN (SELECT count(*) FROM codes c WHERE c.product_id = w.id AND is_free_code(c)) END,
  'sales', (SELECT count(*) FROM entitlements e WHERE e.product_id = w.id AND is_counted(e, w.seller_id)),
  'isKept', EXISTS (SELECT FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.product_id = w.id AND o.status <> 'failed')
    OR EXISTS (SELECT FROM codes c WHERE c.product_id = w.id AND c.state <> 'void')
    OR EXISTS (SELECT FROM bundle_parts k WHERE k.product_id = w.id)) AS variant
FROM products w WHERE w.variant_of IS NOT NULL AND w.deleted_at IS NULL;

-- Sales, refunds and payouts of a period, for a monthly statement.
CREATE OR REPLACE FUNCTION month_sales(seller uuid, since timestamptz, until timestamptz) RETURNS TABLE (day date, product_id uuid,
    title text, quantity int, gross_cents bigint, fee_cents bigint, discount_cents bigint) LANGUAGE sql STABLE AS $$
  SELECT utc_day(e.earned_at), l.product_id, l.title, l.quantity, e.gross_cents, e.fee_cents, l.discount_cents
  FROM earnings e JOIN order_lines l ON l.id = e.order_line_id
  WHERE e.seller_id = seller AND e.earned_at >= since AND e.earned_at < until
$$;

CREATE OR REPLACE FUNCTION month_returns(seller uuid, since timestamptz, until timestamptz) RETURNS TABLE (day date, order_id uuid,
    gross_cents bigint, fee_cents bigint, order_line_ids uuid[]) LANGUAGE sql STABLE AS $$
  SELECT utc_day(r.returned_at), r.order_id, r.gross_cents, r.fee_cents, r.order_line_ids FROM earning_returns r
  WHERE r.seller_id = seller AND r.returned_at >= since AND r.returned_at < until
$$;

CREATE OR REPLACE FUNCTION month_payouts(seller uuid, since timestamptz, until timestamptz) RETURNS TABLE (day date, amount_cents bigint,
    label text) LANGUAGE sql STABLE AS $$
  SELECT utc_day(l.created_at), l.amount_cents, (SELECT p.label FROM ledger_entries other JOIN payouts p ON other.account = 'payouts:' || p.id
    WHERE other.transfer_id = l.transfer_id AND p.seller_id = seller LIMIT 1)
  FROM ledger_entries l WHERE l.account = 'seller:' || seller AND l.payment_id IS NULL AND l.created_at >= since AND l.created_at < until
$$;

-- Refunds of a period and the fees returned with them. With `is_summed_up`, each day has one row of each kind.
-- `title` is the title of the first refunded line, and `more` counts the other lines.
CREATE OR REPLACE FUNCTION month_refunds(seller uuid, since timestamptz, until timestamptz, is_summed_up boolean) RETURNS TABLE (day date,
    place int, kind text, title text, more bigint, order_id uuid, count bigint, cents bigint) LANGUAGE sql STABLE AS $$
  WITH back AS MATERIALIZED (SELECT * FROM month_returns(seller, since, until))
  SELECT b.day, 4, 'refund', max(f.title), max(f.more), CASE WHEN NOT is_summed_up THEN b.order_id END, count(*), -sum(b.gross_cents)::bigint
  FROM back b LEFT JOIN LATERAL (SELECT l.title, count(*) OVER () - 1 AS more FROM order_lines l
    WHERE l.order_id = b.order_id AND l.seller_id = seller AND EXISTS (SELECT FROM back own
      WHERE own.order_id = b.order_id AND own.day = b.day AND (own.order_line_ids IS NULL OR l.id = ANY (own.order_line_ids)))
    ORDER BY l.position LIMIT 1) f ON NOT is_summed_up
  GROUP BY b.day, CASE WHEN NOT is_summed_up THEN b.order_id END
  UNION ALL
  SELECT b.day, 5, 'fee_returned', NULL, NULL, CASE WHEN NOT is_summed_up THEN b.order_id END, count(*), sum(b.fee_cents)::bigint
  FROM back b GROUP BY b.day, CASE WHEN NOT is_summed_up THEN b.order_id END HAVING sum(b.fee_cents) > 0
$$;

-- What needs an answer of a seller. A product of kind 'goods' would be in the shop if it had its file or a code for sale.
CREATE OR REPLACE FUNCTION waiting_for_seller(seller uuid) RETURNS TABLE (kind text, id uuid, title text, at timestamptz,
    until timestamptz, cents bigint) LANGUAGE sql STABLE AS $$
  SELECT 'dispute', e.order_line_id, l.title,
    coalesce((SELECT max(d.opened_at) FROM disputes d WHERE d.order_id = e.order_id AND d.ended_at IS NULL), e.earned_at),
    (SELECT min(d.evidence_due_at) FROM disputes d WHERE d.order_id = e.order_id AND d.ended_at IS NULL AND d.stage <> 'warning'
      AND d.evidence_id IS NULL AND d.state = 'needs_evidence' AND d.evidence_due_at > now()), net_cents(e)
  FROM earnings e JOIN order_lines l ON l.id = e.order_line_id WHERE e.seller_id = seller AND e.is_disputed
  UNION ALL
  SELECT 'code_case', k.id, l.title, k.created_at, k.answer_by, NULL
  FROM code_cases k JOIN order_lines l ON l.id = k.order_line_id WHERE k.seller_id = seller AND k.state = 'seller'
  UNION ALL
  SELECT 'question', p.id, p.title, r.last_at, r.answer_by, NULL
  FROM products p JOIN report_cases r ON r.product_id = p.id
  WHERE p.seller_id = seller AND r.review_id IS NULL AND r.decision IS NULL AND r.question IS NOT NULL AND r.answer IS NULL
  UNION ALL
  SELECT 'goods', p.id, p.title, p.updated_at, NULL, NULL FROM products p
  WHERE p.seller_id = seller AND p.deleted_at IS NULL AND p.variant_of IS NULL AND own_status(p) = 'incomplete'
  UNION ALL
  -- the newest review of a product in 30 days that the seller has neither answered nor dismissed
  SELECT 'review', p.id, p.title, v.at, NULL, NULL FROM products p CROSS JOIN LATERAL (
    SELECT max(r.created_at) AS at FROM reviews r WHERE r.product_id = p.id AND r.hidden_at IS NULL AND r.order_line_id IS NOT NULL
      AND r.created_at > now() - interval '30 days' AND NOT EXISTS (SELECT FROM review_answers a WHERE a.review_id = r.id)
      AND r.created_at > coalesce((SELECT s.seen_at FROM seen_reviews s WHERE s.product_id = p.id), '-infinity')) v
  WHERE p.seller_id = seller AND p.deleted_at IS NULL AND v.at IS NOT NULL
$$;

-- Who ended the messages of two members, as the reader sees it. The block of the reader comes before that of the other.
CREATE OR REPLACE FUNCTION messages_ended_by(reader uuid, other uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM message_threads t WHERE (t.buyer_id, t.seller_id) IN ((reader, other), (other, reader))
      AND t.ended_at IS NOT NULL) THEN 'staff'
    WHEN EXISTS (SELECT FROM message_blocks b WHERE b.blocker_id = reader AND b.blocked_id = other) THEN 'own'
    WHEN EXISTS (SELECT FROM message_blocks b WHERE b.blocker_id = other AND b.blocked_id = reader) THEN 'other' END
$$;

-- The newest unread message of each buyer. Not part of `waiting_for_seller`, because a node of an earlier release
-- rejects the kind.
CREATE OR REPLACE FUNCTION unread_messages(seller uuid) RETURNS TABLE (kind text, id uuid, title text, at timestamptz,
    until timestamptz, cents bigint) LANGUAGE sql STABLE AS $$
  SELECT 'message', m.order_line_id, l.title, m.created_at, NULL::timestamptz, NULL::bigint FROM message_threads t CROSS JOIN LATERAL (
    SELECT * FROM thread_messages n WHERE n.thread_id = t.id AND n.author_id = t.buyer_id ORDER BY n.created_at DESC, n.id DESC LIMIT 1) m
  JOIN order_lines l ON l.id = m.order_line_id
  WHERE t.seller_id = seller AND t.last_buyer_at > t.seller_read_at AND messages_ended_by(seller, t.buyer_id) IS NULL
$$;

-- Uses of the copies of a sale by the buyer, and by the recipients of gifts (`isGift`). The earliest use comes first.
CREATE OR REPLACE FUNCTION uses_of_sale(line uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('kind', w.kind, 'isGift', w.is_gift, 'count', w.count, 'days', w.days,
    'firstAt', iso_of(w.first_at), 'lastAt', iso_of(w.last_at)) ORDER BY w.first_at, w.kind, w.is_gift), '[]')
  FROM (SELECT v.kind, m.line_id <> line AS is_gift, count(*) AS count, count(DISTINCT utc_day(v.created_at)) AS days, min(v.created_at) AS first_at,
      max(v.created_at) AS last_at
    FROM copy_lines(line) m JOIN entitlements n ON n.order_line_id = m.line_id
    JOIN delivery_events v ON v.entitlement_id = n.id GROUP BY 1, 2) w
$$;

CREATE OR REPLACE FUNCTION is_customer(buyer uuid, seller uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT buyer <> seller AND EXISTS (SELECT FROM orders o JOIN earnings e ON e.order_id = o.id
    WHERE o.user_id = buyer AND e.seller_id = seller)
$$;

-- The version of the note about a member: the time of the last save in microseconds, 0 without a note.
CREATE OR REPLACE FUNCTION note_version(seller uuid, buyer uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT micros_of(n.updated_at) FROM customer_notes n WHERE n.seller_id = seller AND n.user_id = buyer), 0)
$$;

-- The address of a buyer who agreed to receive mail, if the shop shows addresses.
CREATE OR REPLACE FUNCTION shown_email(u users, shows_email boolean) RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT CASE WHEN shows_email AND u.wants_news AND u.erased_at IS NULL THEN u.email END $$;

-- The members who bought from a seller, each with the newest sale, after the sale `after`. The order is that of `earnings_seller`.
CREATE OR REPLACE FUNCTION newest_customers(seller uuid, after uuid) RETURNS TABLE (user_id uuid, earned_at timestamptz,
    order_line_id uuid) LANGUAGE sql STABLE AS $$
  SELECT o.user_id, e.earned_at, e.order_line_id FROM earnings e JOIN orders o ON o.id = e.order_id
  WHERE e.seller_id = seller AND o.user_id <> seller
    AND e.earned_at <= coalesce((SELECT a.earned_at FROM earnings a WHERE a.order_line_id = after AND a.seller_id = seller), 'infinity')
    AND (after IS NULL OR e.order_line_id > after
      OR e.earned_at < (SELECT a.earned_at FROM earnings a WHERE a.order_line_id = after AND a.seller_id = seller))
    AND NOT EXISTS (SELECT FROM orders p JOIN earnings n ON n.order_id = p.id WHERE p.user_id = o.user_id AND n.seller_id = seller
      AND (n.earned_at > e.earned_at OR n.earned_at = e.earned_at AND n.order_line_id < e.order_line_id))
$$;

CREATE OR REPLACE FUNCTION count_customers(seller uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT o.user_id) FROM earnings e JOIN orders o ON o.id = e.order_id WHERE e.seller_id = seller AND o.user_id <> seller
$$;

-- The customers whose name, shown address or bought products contain folded words, and the buyer of the order with the number.
CREATE OR REPLACE FUNCTION find_customers(seller uuid, words text, order_number text, shows_email boolean) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT DISTINCT o.user_id FROM earnings e JOIN orders o ON o.id = e.order_id JOIN users u ON u.id = o.user_id
    JOIN order_lines l ON l.id = e.order_line_id
  WHERE e.seller_id = seller AND o.user_id <> seller AND (strpos(fold_text(l.title), words) > 0
    OR order_number IN (o.id::text, right(o.id::text, 8))
    OR strpos(fold_text(concat_ws(' ', shown_name(u, 'A buyer'), shown_email(u, shows_email))), words) > 0)
$$;

-- Members who bought from a seller, with what the seller keeps of their sales.
CREATE OR REPLACE FUNCTION customers_among(seller uuid, ids uuid[], shows_email boolean) RETURNS TABLE (user_id uuid, name text,
    email text, sales int, net_cents bigint, first_at timestamptz, last_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT u.id, shown_name(u, 'A buyer'), shown_email(u, shows_email), b.sales, b.net_cents, b.first_at, b.last_at
  FROM (SELECT o.user_id, count(*)::int AS sales, sum(net_cents(e))::bigint AS net_cents, min(e.earned_at) AS first_at,
      max(e.earned_at) AS last_at
    FROM orders o JOIN earnings e ON e.order_id = o.id
    WHERE o.user_id = ANY (ids) AND e.seller_id = seller AND o.user_id <> seller GROUP BY 1) b
  JOIN users u ON u.id = b.user_id
$$;

CREATE OR REPLACE FUNCTION customer_card(buyer uuid, seller uuid, name text, email text, sales int, net_cents bigint,
    first_at timestamptz, last_at timestamptz) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', buyer, 'name', name, 'email', email, 'sales', sales,
    'net', CASE WHEN net_cents < 0 THEN '-' ELSE '' END || decimal_of(abs(net_cents)), 'firstAt', iso_of(first_at),
    'lastAt', iso_of(last_at), 'title', (SELECT l.title FROM orders o JOIN earnings e ON e.order_id = o.id
        JOIN order_lines l ON l.id = e.order_line_id
      WHERE o.user_id = buyer AND e.seller_id = seller ORDER BY e.earned_at DESC, l.position LIMIT 1),
    'hasNote', EXISTS (SELECT FROM customer_notes n WHERE n.seller_id = seller AND n.user_id = buyer))
$$;

-- The side of an account in a thread of a buyer and a seller.
CREATE OR REPLACE FUNCTION side_of(t message_threads, account uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT CASE account WHEN t.buyer_id THEN 'buyer' WHEN t.seller_id THEN 'seller' END $$;

-- The newest messages of a thread, oldest first.
CREATE OR REPLACE FUNCTION messages_of(t message_threads, most int) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', m.id, 'author', side_of(t, m.author_id), 'text', m.body, 'title', l.title,
    'at', iso_of(m.created_at)) ORDER BY m.created_at, m.id), '[]')
  FROM (SELECT * FROM thread_messages n WHERE n.thread_id = t.id ORDER BY n.created_at DESC, n.id DESC LIMIT most) m
  JOIN order_lines l ON l.id = m.order_line_id
$$;

-- The members who ended the thread, and staff.
CREATE OR REPLACE FUNCTION enders_of(t message_threads) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_remove(ARRAY[
    CASE WHEN EXISTS (SELECT FROM message_blocks b WHERE b.blocker_id = t.buyer_id AND b.blocked_id = t.seller_id) THEN 'buyer' END,
    CASE WHEN EXISTS (SELECT FROM message_blocks b WHERE b.blocker_id = t.seller_id AND b.blocked_id = t.buyer_id) THEN 'seller' END,
    CASE WHEN t.ended_at IS NOT NULL THEN 'staff' END], NULL)
$$;

-- A thread as support sees it in a list. A member of staff does not learn who reports their own messages.
CREATE OR REPLACE FUNCTION staff_thread(t message_threads, reader uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', t.id,
    'buyer', (SELECT json_build_object('id', u.id, 'name', shown_name(u, 'A buyer')) FROM users u WHERE u.id = t.buyer_id),
    'seller', (SELECT json_build_object('id', u.id, 'name', shown_name(u, 'A seller')) FROM users u WHERE u.id = t.seller_id),
    'endedBy', to_json(enders_of(t)), 'isOwn', reader IN (t.buyer_id, t.seller_id),
    'messages', (SELECT count(*) FROM thread_messages m WHERE m.thread_id = t.id),
    'openReports', (SELECT count(*) FROM thread_reports r WHERE r.thread_id = t.id AND r.closed_at IS NULL
      AND reader NOT IN (t.buyer_id, t.seller_id)))
$$;

CREATE OR REPLACE FUNCTION staff_threads(ids uuid[], reader uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(staff_thread(t, reader) ORDER BY array_position(ids, t.id)), '[]')::text
  FROM message_threads t WHERE t.id = ANY (ids)
$$;

CREATE OR REPLACE FUNCTION reports_of(t message_threads) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', r.id, 'by', side_of(t, r.reporter_id), 'note', r.note, 'at', iso_of(r.created_at),
    'closedAt', iso_of(r.closed_at), 'messages', r.messages) ORDER BY r.created_at, r.id), '[]')
  FROM thread_reports r WHERE r.thread_id = t.id
$$;

-- Open reports of messages, one item for each reporter of a thread. `owner_id` is the reported member. The queries hide
-- the item from that member.
CREATE OR REPLACE VIEW waiting_message_report AS
SELECT (array_agg(r.id ORDER BY r.created_at, r.id))[1] AS id, min(r.created_at) AS since, NULL::timestamptz AS due_at,
  CASE r.reporter_id WHEN t.buyer_id THEN t.seller_id ELSE t.buyer_id END AS owner_id,
  (SELECT u.email FROM users u WHERE u.id = r.reporter_id AND u.erased_at IS NULL) AS about, NULL::bigint AS cents
FROM thread_reports r JOIN message_threads t ON t.id = r.thread_id
WHERE r.closed_at IS NULL GROUP BY t.id, r.reporter_id;

-- The products of a seller that were first on sale in a period and are in the shop.
CREATE OR REPLACE FUNCTION published_by(seller uuid, since timestamptz, until timestamptz) RETURNS TABLE (product_id uuid,
    title text, published_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT p.id, p.title, n.published_at FROM publications n JOIN products p ON p.id = n.product_id
  WHERE n.seller_id = seller AND n.published_at > since AND n.published_at <= until AND p.is_listed
$$;

CREATE OR REPLACE FUNCTION gets_follow_mails(u users) RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT u.wants_follows AND u.email_verified AND u.mail_refused_at IS NULL $$;
