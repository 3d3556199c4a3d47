-- Views and functions of deliveries for other rooms.

-- Why the goods of an order line are closed for a while. Those of a claimed gift depend on the line of its giver.
CREATE OR REPLACE VIEW line_standing AS
SELECT l.id AS order_line_id,
  EXISTS (SELECT FROM disputes d WHERE d.order_id = o.id AND d.ended_at IS NULL AND d.stage <> 'warning') AS is_disputed,
  -- the whole order, or all copies of the line, are being refunded; a refund of lines keeps what cost nothing
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

-- Entitlements whose goods open now.
CREATE OR REPLACE VIEW open_copy AS
SELECT e.id AS entitlement_id, e.user_id, e.product_id, e.order_line_id
FROM entitlements e
JOIN order_lines l ON l.id = e.order_line_id
JOIN orders o ON o.id = l.order_id
JOIN line_standing s ON s.order_line_id = l.id
WHERE e.revoked_at IS NULL AND o.status = 'completed' AND NOT s.is_disputed AND NOT s.is_going_back;

-- Copies of a line that are given away, and not taken back or returned. No row: none.
CREATE OR REPLACE VIEW given_copies AS
SELECT order_line_id, sum(quantity)::int AS copies FROM gifts WHERE state IN ('open', 'claimed') GROUP BY order_line_id;

-- The lines with copies of an order line: itself, and those that gifts of it became.
CREATE OR REPLACE FUNCTION copy_lines(line uuid) RETURNS TABLE (line_id uuid) LANGUAGE sql STABLE ROWS 2 AS $$
  SELECT line UNION ALL SELECT c.id FROM gifts g JOIN order_lines c ON c.gift_id = g.id WHERE g.order_line_id = line
$$;

-- What the holder of a code sees of its case.
CREATE OR REPLACE FUNCTION code_report(k code_cases) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT json_build_object('state', k.state, 'answerBy', iso_of(k.answer_by), 'words', k.words) $$;

-- The version of a bought file that is on sale, if it is another one.
CREATE OR REPLACE FUNCTION newer_file(bought uuid, product uuid) RETURNS SETOF product_files LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT n.* FROM product_files b JOIN products p ON p.id = product JOIN product_files n ON n.product_id = b.product_id AND n.part = b.part
  WHERE b.id = bought AND n.id <> b.id AND n.id = ANY (p.file_id || p.more_file_ids)
$$;

-- What the owner of an entitlement sees of the goods of its line, never a secret. PostgreSQL inlines it after FROM.
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
      -- until then its codes arrive, or its money returns
      'supplyBy', (SELECT iso_of(y.ends_at) FROM supply_requests y WHERE y.order_line_id = line AND y.state = 'waiting'),
      'reports', (SELECT coalesce(json_agg(code_report(k) ORDER BY k.created_at DESC), '[]')
        FROM code_cases k JOIN codes c ON c.id = k.code_id WHERE c.order_line_id = line))
    WHEN 'license' THEN (SELECT json_build_object('kind', 'license', 'devices', k.seats * k.devices_per_seat,
        'file', CASE WHEN f.id IS NOT NULL THEN json_build_object('fileName', f.file_name, 'sizeBytes', f.size_bytes) END)
      FROM licenses k LEFT JOIN product_files f ON f.id = file WHERE k.order_line_id = line)
    WHEN 'course' THEN (SELECT json_build_object('kind', 'course', 'lessons', count(*), 'done', count(d.done_at))
      FROM course_parts c
      LEFT JOIN lesson_progress d ON d.lesson_id = c.id AND d.order_line_id = line AND d.user_id = owner
      WHERE c.product_id = product AND NOT c.is_section AND c.deleted_at IS NULL)
  END
$$;
