-- When work whose job was lost was last asked for again, so that what fails each time keeps nothing else out.
ALTER TABLE refunds ADD COLUMN taken_up_at timestamptz;
ALTER TABLE webhook_events ADD COLUMN taken_up_at timestamptz;
