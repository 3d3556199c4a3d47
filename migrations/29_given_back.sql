-- Money that arrives after its order failed goes back: the failed order says so in an event of its own.
ALTER TABLE order_events DROP CONSTRAINT order_events_check,
  ADD CONSTRAINT order_events_check CHECK ((from_status, to_status) IN
    (('pending', 'completed'), ('pending', 'failed'), ('completed', 'refunded'), ('failed', 'completed'), ('failed', 'failed'))
    OR (from_status IS NULL AND to_status = 'pending'));
