-- Messages about sales: one thread of a buyer and a seller. Support reads it.
CREATE TABLE message_threads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  buyer_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  buyer_read_at timestamptz NOT NULL DEFAULT '-infinity',
  seller_read_at timestamptz NOT NULL DEFAULT '-infinity',
  -- the side that ended the thread: until it opens it again, neither writes
  blocked_by uuid REFERENCES users ON DELETE SET NULL,
  reported_by uuid REFERENCES users ON DELETE SET NULL,
  reported_at timestamptz,
  report_note text CHECK (length(report_note) <= 1000),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (buyer_id, seller_id),
  CHECK (buyer_id <> seller_id)
);
CREATE INDEX message_threads_seller ON message_threads (seller_id);
CREATE INDEX message_threads_blocked ON message_threads (blocked_by) WHERE blocked_by IS NOT NULL;
CREATE INDEX message_threads_reported ON message_threads (reported_by) WHERE reported_by IS NOT NULL;

CREATE TABLE thread_messages (
  -- the browser chooses it, so that a repeated call sends one message
  id uuid PRIMARY KEY,
  thread_id uuid NOT NULL REFERENCES message_threads ON DELETE CASCADE,
  author_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- the sale that the message is about
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE CASCADE,
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX thread_messages_thread ON thread_messages (thread_id, created_at DESC, id DESC);
CREATE INDEX thread_messages_author ON thread_messages (author_id);
CREATE INDEX thread_messages_line ON thread_messages (order_line_id);
