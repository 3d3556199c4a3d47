-- One by one: the overview of staff reads the members and the sales of the last days.
CREATE INDEX CONCURRENTLY users_created ON users (created_at);
CREATE INDEX CONCURRENTLY sales_days_day ON sales_days (day) WHERE kind = 'all';
