-- Every word of `products.search`. A search turns the start of a word into the words that it stands for, because the
-- index finds whole words several times as fast as starts. A word stays when its last product goes.
CREATE TABLE search_words (word text COLLATE "C" PRIMARY KEY);

CREATE FUNCTION keep_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words SELECT word FROM unnest(tsvector_to_array(NEW.search)) word ORDER BY word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER products_keep_words_new AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION keep_search_words();
CREATE TRIGGER products_keep_words AFTER UPDATE ON products FOR EACH ROW
  WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION keep_search_words();
INSERT INTO search_words SELECT DISTINCT unnest(tsvector_to_array(search)) FROM products;

-- The query of a search in both languages of the index, with starts of words written out: 'harb':* -> 'harbour'. A start
-- that stands for too many words, or for none, stays as it is.
CREATE FUNCTION search_starts(asked text) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
  english text := to_tsquery('english', asked);
  plain text := to_tsquery('simple', asked);
  start text;
  words text;
BEGIN
  FOR start IN SELECT DISTINCT match[1] FROM regexp_matches(english || ' ' || plain, '''([^''\\]+)'':\*', 'g') match LOOP
    SELECT '(' || string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' | ') || ')' INTO words
      FROM (SELECT word FROM search_words WHERE word >= start AND word < start || U&'\+10FFFF' LIMIT 41) known
      HAVING count(*) <= 40;
    IF words IS NOT NULL THEN
      english := replace(english, '''' || start || ''':*', words);
      plain := replace(plain, '''' || start || ''':*', words);
    END IF;
  END LOOP;
  RETURN CASE WHEN english = plain THEN english::tsquery ELSE english::tsquery || plain::tsquery END;
END $$;
