-- A large refund that waits may be for single lines: [{"orderLineId", "quantity"}].
ALTER TABLE refund_approvals ADD COLUMN lines jsonb;
