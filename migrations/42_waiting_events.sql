-- An event that most likely repeats what the shop is about to settle waits in its row and needs no job of its own.
ALTER TABLE webhook_events
  -- the payment that the event names, if the shop knows it. A hint: a foreign key would wait for the payment's settlement
  ADD COLUMN payment_id uuid,
  -- when the event is looked at again unless it is processed by then; oldest first, so that a failing row does not block the queue
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT now(),
  DROP COLUMN taken_up_at;
