-- Views of the assistant for its statements.

-- Products on sale with the fields that the assistant searches.
CREATE OR REPLACE VIEW findable_product AS
SELECT p.id, p.title, coalesce(brief(p.description), '') AS brief, p.category_id, c.name AS category, p.price_cents AS cents,
  p.rated::float8 AS rated, extract(epoch FROM now() - p.created_at)::float8 AS age, p.recent_buyers AS buyers, p.created_at
FROM products p JOIN categories c ON c.id = p.category_id WHERE p.is_listed;
