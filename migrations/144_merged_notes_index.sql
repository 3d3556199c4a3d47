-- One by one: the notes that quote an account which is erased.
CREATE INDEX chat_notes_other ON chat_notes (other_id) WHERE other_id IS NOT NULL;
