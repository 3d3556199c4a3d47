-- A mail waits in its row, and every node sends those that are due. Only one that failed gets a job, which retries. Mails from
-- before have jobs.
ALTER TABLE mails ADD COLUMN due_at timestamptz;
ALTER TABLE mails ALTER COLUMN due_at SET DEFAULT now();
