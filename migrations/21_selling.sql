-- What a seller wrote about a member who bought from them.
CREATE TABLE customer_notes (
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 2000),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (seller_id, user_id)
);
CREATE INDEX customer_notes_user ON customer_notes (user_id);
