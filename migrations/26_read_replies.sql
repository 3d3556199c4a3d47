-- nobody knows what was read before it was noted: conversations of that time have no unread reply
UPDATE chat_conversations SET customer_read_at = now() WHERE customer_read_at = '-infinity';
