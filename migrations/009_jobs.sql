-- Which job workers belong to a living node: each node holds the advisory lock of its number. When a node dies its jobs
-- are given back at once instead of after hours.
CREATE TABLE job_workers (
  worker_id text PRIMARY KEY,
  node_lock bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
