-- Expands: staff also write notes about members without a conversation.
ALTER TABLE chat_notes DROP CONSTRAINT chat_notes_user_id_fkey,
  ADD CONSTRAINT chat_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
