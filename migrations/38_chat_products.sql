-- products that the assistant's answer names
ALTER TABLE chat_messages ADD COLUMN products uuid[] NOT NULL DEFAULT '{}';
