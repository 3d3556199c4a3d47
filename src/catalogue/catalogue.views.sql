-- Views and functions of the catalogue for other rooms.

-- One copy of these goods is enough for a buyer, because all copies are the same.
CREATE OR REPLACE FUNCTION is_one_enough(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT kind IN ('file', 'course') $$;

-- Two lines of a description, without its Markdown.
CREATE OR REPLACE FUNCTION brief(description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT nullif(left(unmarked(left(description, 300)), 200), '') $$;

-- The lowest price of a copy with any discount code: codes and keys need a payment, and each part of a bundle may be one.
CREATE OR REPLACE FUNCTION min_cents(p products, parts bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p.suggested_cents IS NOT NULL THEN p.price_cents WHEN p.delivery = 'file' THEN 0
    WHEN p.delivery = 'bundle' THEN parts ELSE 1 END
$$;

-- The parts of a bundle in one row. `once_ids` are the parts of which one copy is enough.
CREATE OR REPLACE FUNCTION bundle_contents(bundle uuid) RETURNS TABLE (titles text[], parts bigint, is_one_enough boolean,
    earns_bonus boolean, is_cash boolean, once_ids uuid[]) LANGUAGE sql STABLE AS $$
  SELECT array_agg(q.title ORDER BY b.position), count(*), bool_and(is_one_enough(q.delivery)), bool_and(g.earns_bonus),
    bool_or(g.is_cash), array_agg(q.id) FILTER (WHERE is_one_enough(q.delivery))
  FROM bundle_parts b JOIN products q ON q.id = b.product_id JOIN categories g ON g.id = q.category_id
  WHERE b.bundle_id = bundle
$$;

-- The file that is sold with a product. A product of codes or lessons has a file for its seller only.
CREATE OR REPLACE FUNCTION sold_file(p products) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT CASE WHEN p.delivery NOT IN ('code', 'course') THEN p.file_id END $$;

CREATE OR REPLACE FUNCTION sold_more_files(p products) RETURNS uuid[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT CASE WHEN p.delivery NOT IN ('code', 'course') THEN p.more_file_ids ELSE '{}' END $$;
