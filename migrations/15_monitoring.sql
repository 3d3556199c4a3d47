-- Releases, browser errors, backups and their tests.

-- Every release that has served this shop, with its first start.
CREATE TABLE releases (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 80),
  started_at timestamptz NOT NULL DEFAULT now()
);

-- Browser errors grouped by cause.
CREATE TABLE error_groups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  fingerprint text NOT NULL UNIQUE CHECK (length(fingerprint) = 64),
  type text NOT NULL CHECK (type IN ('javascript', 'network', 'performance')),
  severity text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  message text NOT NULL CHECK (length(message) <= 500),
  -- file and line in the source, if known
  place text NOT NULL DEFAULT '' CHECK (length(place) <= 300),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'muted', 'fixed')),
  fixed_in text CHECK ((fixed_in IS NOT NULL) = (status = 'fixed')),
  -- the error occurred again after it was marked as fixed
  is_reopened boolean NOT NULL DEFAULT false,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  first_release text NOT NULL CHECK (length(first_release) <= 80),
  last_release text NOT NULL CHECK (length(last_release) <= 80),
  times integer NOT NULL DEFAULT 0 CHECK (times >= 0),
  people integer NOT NULL DEFAULT 0 CHECK (people >= 0)
);
CREATE INDEX error_groups_list ON error_groups (status, last_seen_at DESC);

CREATE TABLE error_occurrences (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  seen_at timestamptz NOT NULL DEFAULT now(),
  release text NOT NULL CHECK (length(release) <= 80),
  route text NOT NULL CHECK (length(route) <= 200),
  message text NOT NULL CHECK (length(message) <= 500),
  stack text NOT NULL CHECK (length(stack) <= 6000),
  component_stack text NOT NULL CHECK (length(component_stack) <= 3000),
  user_agent text NOT NULL CHECK (length(user_agent) <= 300),
  auto_fixed boolean NOT NULL
);
CREATE INDEX error_occurrences_group ON error_occurrences (group_id, seen_at DESC);
CREATE INDEX error_occurrences_age ON error_occurrences (seen_at);

-- Occurrences per day (UTC).
CREATE TABLE error_days (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  day timestamptz NOT NULL,
  times integer NOT NULL CHECK (times > 0),
  PRIMARY KEY (group_id, day)
);

-- The people who met an error, as hashes that cannot be traced to an account.
CREATE TABLE error_people (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  person text NOT NULL CHECK (length(person) = 32),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, person)
);
CREATE INDEX error_people_age ON error_people (last_seen_at);

-- A language model's explanation of an error group in one release, requested by staff. Shown as plain text only.
CREATE TABLE error_explanations (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  release text NOT NULL CHECK (length(release) BETWEEN 1 AND 80),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  model text NOT NULL CHECK (length(model) BETWEEN 1 AND 100),
  asked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, release)
);

-- Times of backups, so that staff pages can warn about an old backup.
CREATE TABLE backups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  made_at timestamptz NOT NULL DEFAULT now(),
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- where it is stored
  store text NOT NULL DEFAULT 'file',
  name text,
  sha256 text
);
CREATE INDEX backups_made ON backups (made_at DESC);

-- Results of test restores of backups.
CREATE TABLE restore_tests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tested_at timestamptz NOT NULL DEFAULT now(),
  backup text NOT NULL CHECK (length(backup) BETWEEN 1 AND 1000),
  backup_made_at timestamptz,
  is_good boolean NOT NULL,
  says text NOT NULL CHECK (length(says) BETWEEN 1 AND 2000),
  seconds real NOT NULL CHECK (seconds >= 0)
);
CREATE INDEX restore_tests_tested ON restore_tests (tested_at DESC);
