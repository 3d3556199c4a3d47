-- A description without the marks of its Markdown, for lists and carts that show a line of it. src/catalogue/markdown.rules.ts
-- reads the marks.
CREATE FUNCTION unmarked(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN said !~ '[*#[]|^ {0,3}-|\n {0,3}-' THEN said ELSE
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(said,
      '\[([^][\n]+)\]\(https?://[^\s()<>]+\)', '\1', 'g'),
      '(^|\n)(?:#{1,4} +| {0,3}[-*] +)', '\1', 'g'),
      '\*\*([^*\n]+)\*\*', '\1', 'g'),
      '(^|[^\w*])\*([^*\s][^*\n]*)\*', '\1\2', 'g') END
$$;
-- What the product cost when it was put into the cart.
ALTER TABLE cart_items ADD COLUMN price_cents bigint;
