-- One by one: a seller sees the number of failed events, and the shop finds waiting events of an address that responds again.
CREATE INDEX CONCURRENTLY hook_messages_failed ON hook_messages (endpoint_id, created_at) WHERE state = 'failed' AND type <> 'test';
CREATE INDEX CONCURRENTLY hook_messages_waiting ON hook_messages (endpoint_id, created_at) WHERE state = 'waiting';
