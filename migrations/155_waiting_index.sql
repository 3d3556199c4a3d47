-- One by one: the inbox reads who waits in the order of the queue.
CREATE INDEX chat_conversations_waiting ON chat_conversations ((mode <> 'person'), waiting_since, user_id) WHERE waiting_since IS NOT NULL;
