-- A note that a merge writes quotes the other account, so it goes when that account is erased.
ALTER TABLE chat_notes ADD COLUMN other_id uuid REFERENCES chat_conversations ON DELETE CASCADE;
UPDATE chat_notes n SET other_id = c.user_id
FROM users u JOIN chat_conversations c ON c.user_id = u.id
WHERE n.note LIKE 'Also wrote as %' AND split_part(n.note, E'\n', 1) = 'Also wrote as ' || u.email || ':'
  OR n.note = 'Goes on with ' || u.email || '.';
