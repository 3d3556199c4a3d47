-- The version depends on the content too, because an earlier change can commit after a later one.
-- @name readChanges
WITH lately AS (
  SELECT p.* FROM products p WHERE p.updated_at > now() - :minutes::int * interval '1 minute' AND p.variant_of IS NULL
  ORDER BY p.updated_at DESC, p.id LIMIT :most::int),
news AS (
  SELECT (SELECT coalesce(json_agg(json_build_object('id', p.id, 'title', p.title, 'price', decimal_of(p.price_cents),
      'suggested', decimal_of(p.suggested_cents))), '[]') FROM lately p WHERE p.is_listed) AS changed,
    (SELECT coalesce(json_agg(p.id), '[]') FROM lately p WHERE NOT p.is_listed) AS removed),
versioned AS (
  SELECT changed, removed, (SELECT coalesce(micros_of(max(updated_at)), 0) FROM products)
    || '-' || left(md5(changed::text || removed::text), 8) AS version FROM news)
SELECT version, json_build_object('version', version, 'changed', changed, 'removed', removed)::text AS json FROM versioned;
