-- What browsers say of their sessions. Hints only: a browser can say anything, so nothing is refused because of them alone.
CREATE TABLE risk_hints (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- the browser's own id: an event that is sent twice is kept once
  event_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('payment_fraud', 'multiple_attempts', 'suspicious_activity', 'bot_detected', 'unusual_location')),
  severity text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  description text NOT NULL CHECK (length(description) <= 300),
  route text NOT NULL CHECK (length(route) <= 200),
  user_agent text NOT NULL CHECK (length(user_agent) <= 300),
  timezone text NOT NULL CHECK (length(timezone) <= 60),
  screen text NOT NULL CHECK (length(screen) <= 30),
  received_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, event_id)
);
CREATE INDEX risk_hints_user ON risk_hints (user_id, received_at DESC);
CREATE INDEX risk_hints_age ON risk_hints (received_at);

-- Every release that has served this shop, in the order of their first start.
CREATE TABLE releases (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 80),
  started_at timestamptz NOT NULL DEFAULT now()
);

-- Errors that browsers reported, those of one cause together.
CREATE TABLE error_groups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  fingerprint text NOT NULL UNIQUE CHECK (length(fingerprint) = 64),
  type text NOT NULL CHECK (type IN ('javascript', 'network', 'performance')),
  severity text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  message text NOT NULL CHECK (length(message) <= 500),
  -- where in the source it comes from, when that is known
  place text NOT NULL DEFAULT '' CHECK (length(place) <= 300),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'muted', 'fixed')),
  fixed_in text CHECK ((fixed_in IS NOT NULL) = (status = 'fixed')),
  -- true when it came back after it had been marked as fixed
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

-- How often on each day (in UTC), and whom it met, by a hash that leads back to nobody.
CREATE TABLE error_days (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  day timestamptz NOT NULL,
  times integer NOT NULL CHECK (times > 0),
  PRIMARY KEY (group_id, day)
);
CREATE TABLE error_people (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  person text NOT NULL CHECK (length(person) = 32),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, person)
);
CREATE INDEX error_people_age ON error_people (last_seen_at);
