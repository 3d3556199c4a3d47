-- The order of the shelf: featured products first, then the newest. Written so that one comparison of rows pages it.
CREATE INDEX products_shelf ON products ((coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
CREATE INDEX products_category_shelf ON products (category_id, (coalesce(-featured_rank, -2147483647)) DESC, created_at DESC, id DESC) WHERE is_listed;
-- its columns are the first of products_category_shelf but for the rank, and nothing else reads it
DROP INDEX products_category;
DROP INDEX products_listed;

-- an owner who is no superuser may name an extension's setting only once its library is loaded, as this does
SELECT similarity('', '');

-- Listed products whose title has a word like this one in spite of slips, best first. The threshold lets 'pyhton' find
-- Python; what is much worse than the best match is left out.
CREATE FUNCTION find_titles_like(wanted text) RETURNS TABLE (id uuid, score int)
LANGUAGE sql STABLE SET pg_trgm.word_similarity_threshold = 0.4 AS $$
  SELECT found.id, found.score FROM (
    SELECT p.id, p.score, max(p.score) OVER () AS best FROM (
      SELECT products.id, (word_similarity(wanted, title) * 100000)::int AS score
      FROM products WHERE is_listed AND title %> wanted AND length(wanted) > 2
    ) p
  ) found
  WHERE found.score >= 0.8 * best
  ORDER BY found.score DESC, found.id LIMIT 200
$$;
