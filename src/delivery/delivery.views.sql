-- Views and functions of deliveries for other rooms.

-- Reason why the goods of an order line are locked for a while. A claimed gift depends on the line of its giver.
CREATE OR REPLACE VIEW line_standing AS
SELECT l.id AS order_line_id,
  EXISTS (SELECT FROM disputes d WHERE d.order_id = o.id AND d.ended_at IS NULL AND d.stage <> 'warning') AS is_disputed,
  -- the whole order or all copies of the line are being refunded; a refund of lines never includes free lines
  EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.status IN ('captured', 'part_refunded')
      AND o.total_cents <= (SELECT sum(r.amount_cents + r.credit_cents) FROM refunds r
        WHERE r.payment_id = p.id AND r.status IN ('requested', 'completed'))
      AND (EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'requested'
          AND NOT EXISTS (SELECT FROM refund_lines n WHERE n.refund_id = r.id))
        OR NOT EXISTS (SELECT FROM order_lines f WHERE f.order_id = o.id AND f.price_cents * f.quantity = f.discount_cents)))
    OR EXISTS (SELECT FROM refund_lines n JOIN refunds r ON r.id = n.refund_id
      WHERE n.order_line_id = paid.id AND r.status = 'requested'
      AND paid.quantity <= (SELECT sum(m.quantity) FROM refund_lines m JOIN refunds s ON s.id = m.refund_id
        WHERE m.order_line_id = paid.id AND s.status IN ('requested', 'completed'))) AS is_going_back
FROM order_lines l
LEFT JOIN gifts g ON g.id = l.gift_id
JOIN order_lines paid ON paid.id = coalesce(g.order_line_id, l.id)
JOIN orders o ON o.id = paid.order_id;

-- Entitlements whose goods are open now.
CREATE OR REPLACE VIEW open_copy AS
SELECT e.id AS entitlement_id, e.user_id, e.product_id, e.order_line_id
FROM entitlements e
JOIN order_lines l ON l.id = e.order_line_id
JOIN orders o ON o.id = l.order_id
JOIN line_standing s ON s.order_line_id = l.id
WHERE e.revoked_at IS NULL AND o.status = 'completed' AND NOT s.is_disputed AND NOT s.is_going_back;

CREATE OR REPLACE VIEW line_closing AS
SELECT order_line_id, CASE WHEN is_disputed THEN 'dispute' WHEN is_going_back THEN 'refund' END AS closed_by FROM line_standing;

-- Copies of a line in waiting or claimed gifts. No row if there is none.
CREATE OR REPLACE VIEW given_copies AS
SELECT order_line_id, sum(quantity)::int AS copies FROM gifts WHERE state IN ('open', 'claimed') GROUP BY order_line_id;

-- Uses of an entitlement. `is_opened`: its buyer downloaded, read or revealed the goods.
CREATE OR REPLACE VIEW entitlement_use AS
SELECT e.id AS entitlement_id,
  EXISTS (SELECT FROM delivery_events v WHERE v.entitlement_id = e.id)
    OR EXISTS (SELECT FROM download_grants d WHERE d.entitlement_id = e.id AND d.started_at IS NOT NULL) AS is_used,
  EXISTS (SELECT FROM delivery_events v WHERE v.entitlement_id = e.id AND v.kind IN ('download', 'read', 'reveal'))
    OR EXISTS (SELECT FROM download_grants d WHERE d.entitlement_id = e.id AND d.started_at IS NOT NULL) AS is_opened
FROM entitlements e;

-- The order line and the lines of its claimed gifts.
CREATE OR REPLACE FUNCTION copy_lines(line uuid) RETURNS TABLE (line_id uuid) LANGUAGE sql STABLE ROWS 2 AS $$
  SELECT line UNION ALL SELECT c.id FROM gifts g JOIN order_lines c ON c.gift_id = g.id WHERE g.order_line_id = line
$$;

-- The case of a code as JSON for the buyer.
CREATE OR REPLACE FUNCTION code_report(k code_cases) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT json_build_object('state', k.state, 'answerBy', iso_of(k.answer_by), 'words', k.words) $$;

-- A code past its last day counts as expired even before the job runs.
CREATE OR REPLACE FUNCTION code_state(c codes) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT CASE WHEN c.state = 'free' AND c.expires_at <= now() THEN 'expired' ELSE c.state END $$;

-- Encrypted bytes begin with the mark of their secret.
CREATE OR REPLACE FUNCTION is_marked(bytes bytea, marks bytea[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT substring(bytes FROM 1 FOR length(marks[1])) = ANY (marks) $$;

-- Codes of format 1 have no mark.
CREATE OR REPLACE FUNCTION has_mark(bytes bytea, marks bytea[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT substring(bytes FROM 1 FOR 1) = substring(marks[1] FROM 1 FOR 1) $$;

-- True for withdrawn codes that were never revealed and have not expired. Excludes duplicates, whose fingerprint has a
-- space, and codes with another mark: their secret is lost.
CREATE OR REPLACE FUNCTION can_return(c codes, marks bytea[]) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.state = 'void' AND c.seen_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
    AND position(' ' IN c.fingerprint) = 0 AND (NOT has_mark(c.ciphertext, marks) OR is_marked(c.ciphertext, marks))
    AND (c.sealed_parts IS NULL OR is_marked(c.sealed_parts, marks))
$$;

-- Cases of bad codes for their seller and staff. Counts cases of the same buyer and seller within 90 days.
CREATE OR REPLACE VIEW code_case_card AS
SELECT k.id, k.seller_id, k.answer_by, k.decided_at, (SELECT c.ciphertext FROM codes c WHERE c.id = k.code_id) AS ciphertext,
  l.product_id, l.title, l.order_id, k.state, k.reason, k.note, k.seller_words, k.words, iso_of(k.created_at) AS opened_at,
  EXISTS (SELECT FROM codes c WHERE c.product_id = l.product_id AND is_free_code(c)) AS can_replace,
  k.state = 'staff' AND k.refund_id IS NOT NULL AS is_refund_failed,
  json_build_object(
    'buyer', (SELECT count(*) FROM code_cases b WHERE b.user_id = k.user_id AND b.created_at > now() - interval '90 days'),
    'seller', (SELECT count(*) FROM code_cases s WHERE s.seller_id = k.seller_id AND s.created_at > now() - interval '90 days')) AS counts,
  k.order_line_id AS sale_id,
  -- A reveal shows all codes of a line. After the decision, it shows the replacement.
  (SELECT json_build_object('count', count(*), 'firstAt', iso_of(min(v.created_at)), 'lastAt', iso_of(max(v.created_at)))
    FROM codes c JOIN entitlements e ON e.order_line_id = c.order_line_id JOIN delivery_events v ON v.entitlement_id = e.id
    WHERE c.id = k.code_id AND v.kind = 'reveal' AND v.created_at BETWEEN c.seen_at AND coalesce(k.decided_at, 'infinity')) AS reveals,
  -- `k.order_line_id` is the line of the buyer. The line of the code is the line of its owner.
  EXISTS (SELECT FROM codes c JOIN order_lines own ON own.id = c.order_line_id
    WHERE c.id = k.code_id AND own.gift_id IS NOT NULL) AS is_gift
FROM code_cases k JOIN order_lines l ON l.id = k.order_line_id;

-- True for an active device, and for a removed one while its licence file is valid.
CREATE OR REPLACE FUNCTION holds_place(d license_devices) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT d.removed_at IS NULL OR d.file_until > now() $$;

CREATE OR REPLACE VIEW known_license AS
SELECT k.id, k.product_id, k.order_line_id, k.user_id, k.prefix, k.ending, k.ciphertext, k.key_hash, k.seats, k.expires_at,
  k.revoke_reason, k.created_at, l.order_id, o.user_id AS buyer_id, e.id AS entitlement_id,
  (SELECT count(*)::int FROM license_devices d WHERE d.license_id = k.id AND holds_place(d)) AS used,
  k.seats * k.devices_per_seat AS "limit",
  (SELECT v.variant_name FROM products v WHERE v.id = k.product_id) AS variant,
  CASE WHEN e.revoked_at IS NOT NULL OR k.seats = 0 OR o.status <> 'completed' THEN 'ended'
    WHEN (SELECT s.is_going_back OR s.is_disputed FROM line_standing s WHERE s.order_line_id = l.id) THEN 'frozen'
    WHEN k.revoked_at IS NOT NULL THEN 'revoked'
    WHEN k.expires_at <= now() THEN 'expired'
    ELSE 'active' END AS state
FROM licenses k JOIN order_lines l ON l.id = k.order_line_id JOIN orders o ON o.id = l.order_id
JOIN entitlements e ON e.order_line_id = k.order_line_id;

-- The version of a bought file that is on sale, if it differs.
CREATE OR REPLACE FUNCTION newer_file(bought uuid, product uuid) RETURNS SETOF product_files LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT n.* FROM product_files b JOIN products p ON p.id = product JOIN product_files n ON n.product_id = b.product_id AND n.part = b.part
  WHERE b.id = bought AND n.id <> b.id AND n.id = ANY (p.file_id || p.more_file_ids)
$$;

-- The bought files of a line as one object. No row without files.
CREATE OR REPLACE FUNCTION bought_files(ids uuid[], product uuid) RETURNS TABLE (files json) LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT json_build_object('name', (array_agg(f.file_name ORDER BY x.n))[1], 'count', count(*), 'sizeBytes', sum(f.size_bytes)::bigint,
    'hasNewer', bool_or(EXISTS (SELECT FROM newer_file(f.id, product))))
  FROM unnest(ids) WITH ORDINALITY x (id, n) JOIN product_files f ON f.id = x.id HAVING count(*) > 0
$$;

-- Time when a part of a course opens for a buyer. Null: at once.
CREATE OR REPLACE FUNCTION opening_of(c course_parts, bought_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN c.opens_on IS NOT NULL THEN c.opens_on::timestamp AT TIME ZONE 'UTC'
    WHEN c.opens_after_days IS NOT NULL THEN bought_at + c.opens_after_days * interval '1 day' END
$$;

-- The kind of the first file that plays in a lesson.
CREATE OR REPLACE FUNCTION lesson_look(lesson uuid) RETURNS TABLE (look text) LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT coalesce((SELECT split_part(f.content_type, '/', 1) FROM lesson_files x JOIN product_files f ON f.id = x.file_id
    WHERE x.lesson_id = lesson AND f.content_type ~ '^(audio|video)/' ORDER BY x.created_at, f.id LIMIT 1), 'text')
$$;

-- The lessons of a course, and how many of them the owner of a line has done.
CREATE OR REPLACE FUNCTION done_lessons(line uuid, product uuid, owner uuid) RETURNS TABLE (lessons bigint, done bigint)
LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT count(*), count(d.done_at) FROM course_parts c
  LEFT JOIN lesson_progress d ON d.lesson_id = c.id AND d.order_line_id = line AND d.user_id = owner
  WHERE c.product_id = product AND NOT c.is_section AND c.deleted_at IS NULL
$$;

-- Where the owner of a line stopped last, as JSON. No row: nothing was read or played.
CREATE OR REPLACE FUNCTION last_stop(line uuid, owner uuid) RETURNS TABLE (stop json) LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT json_build_object('fileId', f.id, 'fileName', f.file_name, 'place', r.place, 'share', r.share)
  FROM reading_places r JOIN product_files f ON f.id = r.file_id
  WHERE r.order_line_id = line AND r.user_id = owner ORDER BY r.moved_at DESC LIMIT 1
$$;

-- The goods of an order line as JSON for their owner, without secrets. PostgreSQL inlines the function after FROM.
CREATE OR REPLACE FUNCTION shown_goods(line uuid, kind text, product uuid, owner uuid, file uuid, more_files uuid[])
RETURNS TABLE (goods json) LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT CASE kind
    WHEN 'file' THEN (SELECT json_build_object('kind', 'file', 'fileName', f.file_name, 'contentType', f.content_type,
        'sizeBytes', f.size_bytes, 'sha256', f.sha256, 'moreFiles', cardinality(more_files),
        'newer', (SELECT json_build_object('fileName', n.file_name, 'sizeBytes', n.size_bytes, 'note', n.note,
          'addedAt', iso_of(n.created_at)) FROM newer_file(file, product) n))
      FROM (VALUES (file)) x (id) LEFT JOIN product_files f ON f.id = x.id)
    WHEN 'code' THEN json_build_object('kind', 'code',
      'count', (SELECT count(*) FROM codes c WHERE c.order_line_id = line AND c.state = 'sold' AND c.gift_id IS NULL),
      -- deadline of the supplier; after it, the line is refunded
      'supplyBy', (SELECT iso_of(y.ends_at) FROM supply_requests y WHERE y.order_line_id = line AND y.state = 'waiting'),
      'reports', (SELECT coalesce(json_agg(code_report(k) ORDER BY k.created_at DESC), '[]')
        FROM code_cases k JOIN codes c ON c.id = k.code_id WHERE c.order_line_id = line))
    WHEN 'license' THEN (SELECT json_build_object('kind', 'license', 'devices', k.seats * k.devices_per_seat,
        'file', CASE WHEN f.id IS NOT NULL THEN json_build_object('fileName', f.file_name, 'sizeBytes', f.size_bytes) END)
      FROM licenses k LEFT JOIN product_files f ON f.id = file WHERE k.order_line_id = line)
    WHEN 'course' THEN (SELECT json_build_object('kind', 'course', 'lessons', n.lessons, 'done', n.done)
      FROM done_lessons(line, product, owner) n)
  END
$$;

-- Bad codes that wait for the decision of staff.
CREATE OR REPLACE VIEW waiting_code_case AS
SELECT c.id, c.created_at AS since, NULL::timestamptz AS due_at, NULL::uuid AS owner_id,
  (SELECT l.title FROM order_lines l WHERE l.id = c.order_line_id) AS about, NULL::bigint AS cents
FROM code_cases c WHERE c.state = 'staff';

-- Sold lines whose codes the supplier has not delivered. `id` is the line.
CREATE OR REPLACE VIEW waiting_supply AS
SELECT r.order_line_id AS id, r.created_at AS since, r.ends_at AS due_at, NULL::uuid AS owner_id,
  (SELECT l.title FROM order_lines l WHERE l.id = r.order_line_id) AS about, NULL::bigint AS cents
FROM supply_requests r WHERE r.state = 'waiting';
