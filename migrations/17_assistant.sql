-- The chat with the store, the inbox of staff, and the assistant.

-- Room: support

-- The chat with the store: one conversation per customer.
CREATE TABLE chat_conversations (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  last_at timestamptz NOT NULL,
  -- the time of the first unanswered message
  waiting_since timestamptz,
  -- staff have read messages up to this time
  read_at timestamptz NOT NULL DEFAULT '-infinity',
  -- the customer has read messages up to this time
  customer_read_at timestamptz NOT NULL DEFAULT '-infinity',
  -- 'person': the customer waits for staff, and the assistant does not answer
  mode text NOT NULL DEFAULT 'assistant' CHECK (mode IN ('assistant', 'person')),
  assignee_id uuid REFERENCES users ON DELETE SET NULL,
  snoozed_until timestamptz,
  tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 10),
  -- the customer's rating of the last resolved conversation; null until there is one
  settled_at timestamptz,
  score int CHECK (score BETWEEN 1 AND 5)
);
CREATE INDEX chat_conversations_last ON chat_conversations (last_at DESC);
CREATE INDEX chat_conversations_waiting ON chat_conversations ((mode <> 'person'), waiting_since, user_id) WHERE waiting_since IS NOT NULL;

CREATE TABLE chat_messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  author text NOT NULL CHECK (author IN ('user', 'admin', 'assistant')),
  -- the administrator who wrote it
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  message text NOT NULL CHECK (length(btrim(message)) BETWEEN 1 AND 2000),
  -- addresses of the help articles in an assistant's answer
  articles jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(articles) = 'array'),
  -- chosen by the sender, to deduplicate a message that is sent twice
  send_key text NOT NULL DEFAULT gen_random_uuid()::text CHECK (length(send_key) BETWEEN 1 AND 255),
  -- not now(), which would be the same for a message and its answer in one transaction
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- products that the assistant's answer mentions
  products uuid[] NOT NULL DEFAULT '{}',
  -- orders of the customer that an answer shows
  orders uuid[] NOT NULL DEFAULT '{}',
  is_unsure boolean NOT NULL DEFAULT false,
  offers_person boolean NOT NULL DEFAULT false,
  is_stopped boolean NOT NULL DEFAULT false,
  via text NOT NULL DEFAULT 'chat' CHECK (via IN ('chat', 'mail')),
  UNIQUE (user_id, author, send_key)
);
CREATE INDEX chat_messages_conversation ON chat_messages (user_id, created_at DESC, id DESC);
CREATE INDEX chat_messages_staff ON chat_messages (created_at DESC) WHERE author = 'admin';

-- When each administrator last had the support inbox open.
CREATE TABLE chat_presence (
  staff_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- Notifies open pages of the customer, and of staff with the inbox open ('*'), which load the messages again.
CREATE FUNCTION tell_member_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' chat');
  PERFORM pg_notify('members', '* inbox');
  RETURN NULL;
END $$;
CREATE TRIGGER chat_messages_tell AFTER INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION tell_member_of_chat();

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
  -- the topic of the answer, as context for the next question
  frame jsonb,
  -- null for the local assistant
  model text,
  -- ids of the model that belong to no fact
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

-- Notes of staff, in a separate table, so that no query of a customer reads them.
CREATE TABLE chat_notes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  note text NOT NULL CHECK (length(btrim(note)) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- the note of a merge quotes this account, so it is deleted with it
  other_id uuid REFERENCES chat_conversations ON DELETE CASCADE
);
CREATE INDEX chat_notes_user ON chat_notes (user_id, created_at);
CREATE INDEX chat_notes_staff ON chat_notes (staff_id);
CREATE INDEX chat_notes_other ON chat_notes (other_id) WHERE other_id IS NOT NULL;

-- Reusable replies of staff. {name}, {store} and {agent} are placeholders.
CREATE TABLE chat_replies (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  title text NOT NULL UNIQUE CHECK (length(btrim(title)) BETWEEN 1 AND 80),
  body text NOT NULL CHECK (length(btrim(body)) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Waits of customers that ended with an answer of staff, for the report of response times.
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

-- Each resolved conversation with the customer's rating, so that the next one does not overwrite it.
CREATE TABLE chat_settlements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  settled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- null until the customer rates it
  score int CHECK (score BETWEEN 1 AND 5)
);
CREATE INDEX chat_settlements_user ON chat_settlements (user_id, settled_at DESC);
CREATE INDEX chat_settlements_settled ON chat_settlements (settled_at DESC);
CREATE INDEX chat_settlements_staff ON chat_settlements (staff_id) WHERE staff_id IS NOT NULL;

-- Room: assistant

-- Training examples from staff for the assistant: a question with the article or the text that answers it.
CREATE TABLE chat_lessons (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  question text NOT NULL UNIQUE CHECK (length(btrim(question)) BETWEEN 3 AND 300),
  slug text CHECK (slug ~ '^[a-z0-9-]{1,60}$'),
  answer text CHECK (length(btrim(answer)) BETWEEN 1 AND 1000),
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- an example that quotes a customer is deleted with the message
  message_id uuid REFERENCES chat_messages ON DELETE CASCADE,
  CHECK ((slug IS NULL) <> (answer IS NULL))
);
CREATE INDEX chat_lessons_staff ON chat_lessons (staff_id);
CREATE INDEX chat_lessons_message ON chat_lessons (message_id) WHERE message_id IS NOT NULL;

-- The cost of the language model outside the chat, one row per day and use.
CREATE TABLE model_days (
  day date NOT NULL,
  used_for text NOT NULL CHECK (used_for IN ('analyze', 'explain')),
  calls int NOT NULL,
  cost_microdollars bigint NOT NULL,
  PRIMARY KEY (day, used_for)
);
