-- One by one: staff see open cases with an answer first. The former release sorts by `report_cases_queue`, which stays until no node
-- of it runs.
CREATE INDEX CONCURRENTLY report_cases_answered ON report_cases (is_waiting, (is_waiting AND answered_at IS NOT NULL) DESC, last_at DESC, id DESC);
