-- Answers of the assistant with their reasons, and what staff need to work as a team.

ALTER TABLE chat_conversations
  -- 'person': the customer waits for staff, and the assistant keeps quiet
  ADD COLUMN mode text NOT NULL DEFAULT 'assistant' CHECK (mode IN ('assistant', 'person')),
  ADD COLUMN assignee_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN snoozed_until timestamptz,
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 10),
  -- how satisfied the customer was after the last settlement; null until they say so
  ADD COLUMN settled_at timestamptz,
  ADD COLUMN score int CHECK (score BETWEEN 1 AND 5);

ALTER TABLE chat_messages
  -- orders of the customer that an answer shows
  ADD COLUMN orders uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN is_unsure boolean NOT NULL DEFAULT false,
  ADD COLUMN offers_person boolean NOT NULL DEFAULT false,
  -- the customer stopped the answer
  ADD COLUMN is_stopped boolean NOT NULL DEFAULT false,
  ADD COLUMN via text NOT NULL DEFAULT 'chat' CHECK (via IN ('chat', 'mail'));

-- One row for each question that the assistant answers.
CREATE TABLE chat_answers (
  question_id uuid PRIMARY KEY REFERENCES chat_messages ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'working' CHECK (state IN ('working', 'done', 'stopped', 'failed')),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  answer_id uuid REFERENCES chat_messages ON DELETE CASCADE,
  intent text,
  confidence float8,
  tools text[] NOT NULL DEFAULT '{}',
  sources text[] NOT NULL DEFAULT '{}',
  -- what the answer was about, for the next question
  frame jsonb,
  -- null for the local assistant
  model text,
  -- sentences of the model that no tool confirms
  dropped int NOT NULL DEFAULT 0,
  first_ms int,
  took_ms int,
  cost_microdollars bigint NOT NULL DEFAULT 0,
  rating int CHECK (rating IN (-1, 1)),
  reason text CHECK (length(reason) <= 500),
  reviewed_at timestamptz,
  reviewed_by uuid REFERENCES users ON DELETE SET NULL
);
CREATE INDEX chat_answers_user ON chat_answers (user_id, started_at DESC);
CREATE INDEX chat_answers_answer ON chat_answers (answer_id);
CREATE INDEX chat_answers_open ON chat_answers (started_at DESC) WHERE reviewed_at IS NULL AND (confidence < 0.5 OR rating = -1);
CREATE INDEX chat_answers_reviewer ON chat_answers (reviewed_by) WHERE reviewed_by IS NOT NULL;

-- Notes of staff: a table of their own, so that no query of a customer reads them.
CREATE TABLE chat_notes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  note text NOT NULL CHECK (length(btrim(note)) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX chat_notes_user ON chat_notes (user_id, created_at);
CREATE INDEX chat_notes_staff ON chat_notes (staff_id);

-- Replies that staff use again. {name}, {store} and {agent} stand for values.
CREATE TABLE chat_replies (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  title text NOT NULL UNIQUE CHECK (length(btrim(title)) BETWEEN 1 AND 80),
  body text NOT NULL CHECK (length(btrim(body)) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Questions that staff taught the assistant: an article that answers, or an answer in their words.
CREATE TABLE chat_lessons (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  question text NOT NULL UNIQUE CHECK (length(btrim(question)) BETWEEN 3 AND 300),
  slug text CHECK (slug ~ '^[a-z0-9-]{1,60}$'),
  answer text CHECK (length(btrim(answer)) BETWEEN 1 AND 1000),
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((slug IS NULL) <> (answer IS NULL))
);
CREATE INDEX chat_lessons_staff ON chat_lessons (staff_id);

-- Each wait that an answer of staff ended, for the report of response times.
CREATE TABLE chat_waits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX chat_waits_until ON chat_waits (until DESC);
CREATE INDEX chat_waits_user ON chat_waits (user_id);
CREATE INDEX chat_waits_staff ON chat_waits (staff_id);
