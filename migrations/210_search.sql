-- A search finds each part of a compound ('Mac/Windows'), its joined form ('Wi-Fi' as 'wifi'), and text in scripts without spaces.

-- Lower case, without accents, vowel marks, ligatures and widths. `plain` in `search.rules.ts` does the same to typed text.
-- Signs of vowels in Indic scripts and voicing marks of kana are letters, so they stay.
CREATE FUNCTION fold_text(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(said) = char_length(said) THEN lower(said) ELSE
    normalize(replace(replace(replace(translate(lower(regexp_replace(
      normalize(translate(said, '™©®℠', '    '), NFKD),
      '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]',
      '', 'g')), 'łøđðħıŧƶςŁØĐÐĦŦ', 'loddhitzσloddht'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), NFC) END
$$;

-- The words of a text: points stay inside numbers, and each character of Chinese, Japanese and Korean is a word. Compounds
-- without their signs follow: 'wi fi wifi'.
CREATE FUNCTION search_text(said text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text := public.fold_text(said);
  joined text;
BEGIN
  IF folded ~ '[^\s][-/._''+&\u2010-\u2015\u2019\u00b7][^\s]' THEN
    SELECT string_agg(translate(compound[1], '-/._''+&‐‑‒–—―’·', ''), ' ') INTO joined
      FROM regexp_matches(folded, '([[:alnum:]\u0080-\u00a0\u00c0-\u200f\u2070-\u2fff\u3040-\U0010ffff]+(?:[-/._''+&\u2010-\u2015\u2019\u00b7][[:alnum:]\u0080-\u00a0\u00c0-\u200f\u2070-\u2fff\u3040-\U0010ffff]+)+)', 'g') compound
      WHERE length(compound[1]) <= 40 AND compound[1] !~ '^[\d.]+$';
  END IF;
  folded := regexp_replace(folded,
    '[\u0021-\u002d\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a1-\u00bf\u00d7\u00f7\u2010-\u205e\u3000-\u303f\u30fb]+|\.(?!\d)|(?<!\d)\.', ' ', 'g');
  IF octet_length(folded) > char_length(folded) THEN
    folded := regexp_replace(folded,
      '[\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]', ' \& ', 'g');
  END IF;
  RETURN concat_ws(' ', folded, joined);
END $$;

-- Of the words of a text those that join letters and digits, in parts: 'v2.0.1' -> 'v 2.0.1'.
CREATE FUNCTION search_parts(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(regexp_replace(regexp_replace(found[1], '([a-z])(\d)', '\1 \2', 'g'), '(\d)([a-z])', '\1 \2', 'g'), ' '), '')
  FROM regexp_matches(words, '([a-z0-9.]*(?:[a-z]\d|\d[a-z])[a-z0-9.]*)', 'g') found
$$;

-- Every word of titles and descriptions as it is written. A search that finds nothing by whole words and starts looks for
-- words that contain the typed part. A form stays when its last product goes.
CREATE TABLE search_forms (form text COLLATE "C" PRIMARY KEY CHECK (length(form) BETWEEN 3 AND 40));

-- Which text `products.search` holds: 1 is that of 17_search.sql. The job `index_products` brings those to 2 in small batches after
-- the start. Until then a search finds them by their former text.
ALTER TABLE products ADD COLUMN search_version int NOT NULL DEFAULT 1;

-- As in 17_search.sql, with `search_text`, and the parts of words with the weight of the description.
CREATE OR REPLACE FUNCTION index_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  title text := search_text(NEW.title);
  body text := coalesce(search_text(NEW.description), '');
  written tsvector := to_tsvector('simple', title || ' ' || body);
BEGIN
  SELECT setweight(to_tsvector('simple', title) || to_tsvector('english', title), 'A')
      || setweight(to_tsvector('english', search_text(concat_ws(' ', c.name, c.id,
          CASE NEW.delivery WHEN 'code' THEN 'code key' ELSE substring(f.file_name FROM '[^.]+$') END))), 'B')
      || setweight(to_tsvector('simple', concat_ws(' ', NEW.price_cents / 100, round(NEW.price_cents / 100.0, 2),
          CASE WHEN u.erased_at IS NULL THEN search_text(concat_ws(' ', u.first_name, left(btrim(u.last_name), 1))) END)), 'C')
      || setweight(to_tsvector('english', body) || to_tsvector('simple', search_parts(title || ' ' || body)), 'D')
    INTO NEW.search
    FROM categories c
    LEFT JOIN users u ON u.id = NEW.seller_id
    LEFT JOIN product_files f ON f.id = NEW.file_id
    WHERE c.id = NEW.category_id;
  -- without a category the foreign key refuses the row
  NEW.search := coalesce(NEW.search, '');
  NEW.search_version := 2;
  INSERT INTO search_forms
    SELECT word FROM unnest(tsvector_to_array(written)) word
    WHERE length(word) BETWEEN 3 AND 40 ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;

-- The query of words that contain each of the parts. Null if no word contains one of them. A shorter part is a start.
CREATE FUNCTION search_inside(parts text[]) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
  part text;
  forms text;
  one tsquery;
  whole tsquery;
BEGIN
  FOREACH part IN ARRAY parts LOOP
    IF length(part) < 3 THEN
      one := to_tsquery('simple', part || ':*');
    ELSE
      SELECT string_agg('''' || form || '''', ' | ') INTO forms
        FROM (SELECT form FROM search_forms WHERE form LIKE '%' || part || '%' ORDER BY length(form), form LIMIT 40) found
        WHERE form !~ '[''\\]';
      IF forms IS NULL THEN RETURN NULL; END IF;
      one := to_tsquery('english', forms) || to_tsquery('simple', forms);
    END IF;
    whole := CASE WHEN whole IS NULL THEN one ELSE whole && one END;
  END LOOP;
  RETURN whole;
END $$;

-- A new search text is not a change that open pages need to hear of.
CREATE OR REPLACE FUNCTION touch_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('primo.is_indexing', true) IS DISTINCT FROM 'on' THEN
    NEW.updated_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
