-- One by one: staff search the members by words of their names, and list the other members of staff.
CREATE INDEX CONCURRENTLY users_words ON users
  USING gin (to_tsvector('simple', search_text(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))));
CREATE INDEX CONCURRENTLY users_staff ON users (created_at) WHERE role <> 'member';
