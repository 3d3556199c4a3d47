-- Each settled conversation with the score that its customer gave, so that the next settlement loses none.
CREATE TABLE chat_settlements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES chat_conversations ON DELETE CASCADE,
  staff_id uuid REFERENCES users ON DELETE SET NULL,
  settled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- null until the customer says it
  score int CHECK (score BETWEEN 1 AND 5)
);
CREATE INDEX chat_settlements_user ON chat_settlements (user_id, settled_at DESC);
CREATE INDEX chat_settlements_settled ON chat_settlements (settled_at DESC);
CREATE INDEX chat_settlements_staff ON chat_settlements (staff_id) WHERE staff_id IS NOT NULL;
-- The former release reads chat_conversations.settled_at and score, which this one leaves as they are.
INSERT INTO chat_settlements (user_id, settled_at, score)
SELECT user_id, settled_at, score FROM chat_conversations WHERE settled_at IS NOT NULL;

-- What the language model cost outside the chat, one row for each day and use.
CREATE TABLE model_days (
  day date NOT NULL,
  used_for text NOT NULL CHECK (used_for IN ('analyze', 'explain')),
  calls int NOT NULL,
  cost_microdollars bigint NOT NULL,
  PRIMARY KEY (day, used_for)
);
