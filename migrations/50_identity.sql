CREATE INDEX sessions_view ON sessions (viewed_id) WHERE viewed_id IS NOT NULL;
