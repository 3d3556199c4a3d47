-- Finds the twelve nearest products by shared words. A rare word counts more than a common one, a title word twice. An
-- unknown word matches titles with a similar spelling. A product is near if it shares two words, or one with its title.
-- To limit the work, only 16 words and 1,500 products per word are read.
-- @name findNearest
-- @type nearest: import('./nearest.rules.ts').Near['nearest']
WITH given AS (SELECT left(:description, 4000) AS text),
  listed AS MATERIALIZED (SELECT greatest(count(*), 1) AS n FROM products WHERE is_listed),
  wanted AS MATERIALIZED (SELECT lexeme FROM given, unnest(to_tsvector('english', text)) WHERE length(lexeme) > 2
    ORDER BY length(lexeme) DESC, lexeme LIMIT 16),
  hits AS MATERIALIZED (
    SELECT w.lexeme, p.id, ts_filter(p.search, '{a}') @@ plainto_tsquery('simple', w.lexeme) AS is_title,
      count(*) OVER (PARTITION BY w.lexeme) AS uses
    FROM wanted w CROSS JOIN LATERAL (
      SELECT id, search FROM products
      WHERE search @@ plainto_tsquery('simple', w.lexeme) AND is_listed LIMIT 1500) p),
  unknown AS MATERIALIZED (
    SELECT lexeme FROM wanted WHERE length(lexeme) BETWEEN 5 AND 24 AND lexeme NOT IN (SELECT lexeme FROM hits) LIMIT 4),
  scored AS (
    SELECT id, ln(1 + n / uses::float) * (1 + is_title::int) AS score, is_title FROM hits, listed
    UNION ALL
    SELECT t.id, ln(1 + n::float) * t.score / 100000, true
    FROM unknown, listed, find_titles_like(lexeme) t WHERE t.score >= 60000),
  near AS (
    SELECT id, sum(score) AS score FROM scored GROUP BY id HAVING count(*) > 1 OR bool_or(is_title)
    ORDER BY 2 DESC, id LIMIT 12),
  nearest AS (
    SELECT p.id, p.title, p.category_id, p.price_cents, score FROM near JOIN products p USING (id)
    WHERE score >= 0.4 * (SELECT max(score) FROM near)),
  chosen AS (SELECT category_id FROM nearest GROUP BY 1 ORDER BY sum(score) DESC, 1 LIMIT 1)
SELECT c.name AS category, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY price_cents))::bigint AS median,
  min(price_cents) AS lowest, max(price_cents) AS highest, count(*)::int AS products,
  (array_agg(json_build_object('id', nearest.id, 'title', title, 'cents', price_cents) ORDER BY score DESC, nearest.id))[1:3] AS nearest
FROM chosen JOIN nearest USING (category_id) JOIN categories c ON c.id = category_id GROUP BY c.name;

-- @name readCategoryNames
SELECT name FROM categories ORDER BY position;
