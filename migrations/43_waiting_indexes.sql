-- One by one: the queues of events and of captures whose lease has ended.
CREATE INDEX webhook_events_due ON webhook_events (due_at) WHERE processed_at IS NULL;
CREATE INDEX payments_leased ON payments (lease_until) WHERE status = 'capturing';
