-- The overview of staff counts the members of the last days.
CREATE INDEX CONCURRENTLY users_created ON users (created_at);
