-- The chat with the store: one conversation per customer.

CREATE TABLE chat_conversations (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  last_at timestamptz NOT NULL,
  -- the time of the first unanswered message
  waiting_since timestamptz,
  -- staff have read messages up to this time
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
  -- addresses of the help articles in an assistant's answer
  articles jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(articles) = 'array'),
  -- chosen by the writer; deduplicates a message sent twice
  send_key text NOT NULL DEFAULT gen_random_uuid()::text CHECK (length(send_key) BETWEEN 1 AND 255),
  -- not now(), which would give a message and its answer in one transaction the same time
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

-- Open pages of the customer, and of staff with the inbox open ('*'), learn that a message came, never its content.
CREATE FUNCTION tell_member_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', NEW.user_id || ' chat');
  PERFORM pg_notify('members', '* inbox');
  RETURN NULL;
END $$;
CREATE TRIGGER chat_messages_tell AFTER INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION tell_member_of_chat();
