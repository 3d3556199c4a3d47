-- One by one: the lessons that go with an erased account.
CREATE INDEX chat_lessons_message ON chat_lessons (message_id) WHERE message_id IS NOT NULL;
