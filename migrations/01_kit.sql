-- Infrastructure that every room uses: job workers, shared limits, mail, and the functions of text search.

-- Refuses changes of tables that are append only.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;

-- The job workers of the running nodes. Each node holds the advisory lock `node_lock`; when the node dies, another node
-- gets that lock and unlocks the jobs of its workers.
CREATE TABLE job_workers (
  worker_id text PRIMARY KEY,
  node_lock bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Rate limits that all nodes share, for calls that protect money or passwords. Unlogged: a crash of the database resets
-- all budgets.
CREATE UNLOGGED TABLE shared_limits (
  -- a hash, so that the table contains no IP addresses
  key text PRIMARY KEY,
  -- hash of the account whose limits can be reset together
  account text,
  -- when the whole budget is available again
  full_at timestamptz NOT NULL
);
CREATE INDEX shared_limits_account ON shared_limits (account) WHERE account IS NOT NULL;
CREATE INDEX shared_limits_full ON shared_limits (full_at);

-- Outgoing mail. The unique key makes sending idempotent. The bodies are cleared once the mail is sent or refused; the
-- outcome remains.
CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key text NOT NULL UNIQUE,
  recipient text NOT NULL,
  subject text NOT NULL,
  body_text text NOT NULL,
  body_html text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  error text,
  -- the mail server refused the mail permanently
  refused_at timestamptz,
  unsubscribe_url text,
  -- Every node sends due mails. Null: the first attempt failed, and a job retries.
  due_at timestamptz DEFAULT now()
);
CREATE INDEX mails_created ON mails (created_at DESC);
CREATE INDEX mails_recipient ON mails (recipient, created_at DESC);
CREATE INDEX mails_unsent ON mails (created_at) WHERE sent_at IS NULL;

-- Returns lower case without accents, vowel marks, ligatures and widths. `plain` in `search.rules.ts` does the same to
-- typed text. Vowel signs of Indic scripts and voicing marks of kana are letters, so they remain.
CREATE FUNCTION fold_text(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(said) = char_length(said) THEN lower(said) ELSE
    normalize(replace(replace(replace(translate(lower(regexp_replace(
      normalize(translate(said, '™©®℠', '    '), NFKD),
      '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]',
      '', 'g')), 'łøđðħıŧƶςŁØĐÐĦŦ', 'loddhitzσloddht'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), NFC) END
$$;

-- Returns the words of a text. Points remain inside numbers. Each character of Chinese, Japanese and Korean is a word.
-- Compounds are added without their signs: 'wi fi wifi'.
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

-- Returns the words that join letters and digits, split into parts: 'v2.0.1' -> 'v 2.0.1'.
CREATE FUNCTION search_parts(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(regexp_replace(regexp_replace(found[1], '([a-z])(\d)', '\1 \2', 'g'), '(\d)([a-z])', '\1 \2', 'g'), ' '), '')
  FROM regexp_matches(words, '([a-z0-9.]*(?:[a-z]\d|\d[a-z])[a-z0-9.]*)', 'g') found
$$;
