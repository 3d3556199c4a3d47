-- A case whose money returns follows the refund: 'refunding' until it is made, and with staff again when it failed.
ALTER TABLE code_cases ADD COLUMN refund_id uuid REFERENCES refunds ON DELETE RESTRICT;
ALTER TABLE code_cases DROP CONSTRAINT code_cases_state_check,
  ADD CONSTRAINT code_cases_state_check
    CHECK (state IN ('seller', 'staff', 'refunding', 'replaced', 'refunded', 'rejected', 'over'));
-- the case and its refund were written in one transaction
UPDATE code_cases k SET refund_id = r.id, state = CASE WHEN r.status = 'completed' THEN 'refunded' ELSE 'refunding' END
  FROM refunds r JOIN refund_lines n ON n.refund_id = r.id
  WHERE k.state = 'refunded' AND n.order_line_id = k.order_line_id AND r.created_at = k.decided_at;
