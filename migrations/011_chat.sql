-- One conversation a customer with the store. `waiting_since` is when the first message came that nobody has answered yet;
-- `read_at` is up to where staff have read it.
CREATE TABLE chat_conversations (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  last_at timestamptz NOT NULL,
  waiting_since timestamptz,
  read_at timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX chat_conversations_last ON chat_conversations (last_at DESC);

CREATE TABLE chat_messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  author text NOT NULL CHECK (author IN ('user', 'admin', 'assistant')),
  -- the administrator who wrote it
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  message text NOT NULL CHECK (length(btrim(message)) BETWEEN 1 AND 2000),
  -- the help articles the assistant names, by their addresses
  articles jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(articles) = 'array'),
  -- the writer's own key for this message, so that one sent twice is kept once
  send_key text NOT NULL DEFAULT gen_random_uuid()::text CHECK (length(send_key) BETWEEN 1 AND 255),
  -- not now(): a message and its answer in one transaction come one after the other
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (user_id, author, send_key)
);
CREATE INDEX chat_messages_conversation ON chat_messages (user_id, created_at DESC, id DESC);
CREATE INDEX chat_messages_staff ON chat_messages (created_at DESC) WHERE author = 'admin';

-- When each administrator last had the conversations open.
CREATE TABLE chat_presence (
  staff_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  seen_at timestamptz NOT NULL DEFAULT now()
);
