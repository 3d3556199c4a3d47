-- the customer has read messages up to this time
ALTER TABLE chat_conversations ADD COLUMN customer_read_at timestamptz NOT NULL DEFAULT '-infinity';
