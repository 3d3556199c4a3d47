-- Messages about sales: one thread of a buyer and a seller. Support reads it. `buyer_id`, `seller_id` and `reporter_id`
-- restrict, because the erasure of one account must not delete the words and reports of the other.
CREATE TABLE message_threads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  buyer_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- times of the newest message of each side
  last_buyer_at timestamptz NOT NULL DEFAULT '-infinity',
  last_seller_at timestamptz NOT NULL DEFAULT '-infinity',
  buyer_read_at timestamptz NOT NULL DEFAULT '-infinity',
  seller_read_at timestamptz NOT NULL DEFAULT '-infinity',
  -- staff ended the thread: neither side can open it again
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (buyer_id, seller_id),
  CHECK (buyer_id <> seller_id)
);
CREATE INDEX message_threads_buyer ON message_threads (buyer_id, greatest(last_buyer_at, last_seller_at));
CREATE INDEX message_threads_seller ON message_threads (seller_id, greatest(last_buyer_at, last_seller_at));
CREATE INDEX message_threads_unread ON message_threads (seller_id) WHERE last_buyer_at > seller_read_at;

CREATE TABLE thread_messages (
  -- the browser chooses the id, so that a repeated call sends only one message
  id uuid PRIMARY KEY,
  thread_id uuid NOT NULL REFERENCES message_threads ON DELETE CASCADE,
  author_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- the sale that the message is about
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE CASCADE,
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX thread_messages_thread ON thread_messages (thread_id, created_at DESC, id DESC);
CREATE INDEX thread_messages_author ON thread_messages (author_id);
CREATE INDEX thread_messages_line ON thread_messages (order_line_id);

-- Members who ended the messages with another member. Neither can write to the other, also if both bought and sold.
CREATE TABLE message_blocks (
  blocker_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  blocked_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
);
CREATE INDEX message_blocks_blocked ON message_blocks (blocked_id);

-- Reports of a thread to support. A report has a copy of the newest messages, because their author may erase the account.
CREATE TABLE thread_reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  thread_id uuid NOT NULL REFERENCES message_threads ON DELETE CASCADE,
  reporter_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 1000),
  messages jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  closed_by uuid REFERENCES users ON DELETE SET NULL
);
CREATE INDEX thread_reports_thread ON thread_reports (thread_id, created_at);
CREATE INDEX thread_reports_reporter ON thread_reports (reporter_id);
CREATE INDEX thread_reports_open ON thread_reports (created_at) WHERE closed_at IS NULL;
CREATE INDEX thread_reports_closed ON thread_reports (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX thread_reports_closer ON thread_reports (closed_by) WHERE closed_by IS NOT NULL;

ALTER TABLE users ADD COLUMN wants_messages boolean NOT NULL DEFAULT true;
