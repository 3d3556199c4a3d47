-- A change of role revokes everything that the former role granted, whichever program makes the change.

CREATE FUNCTION revoke_role(account uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- push messages go to browsers of sessions, so they end too
  DELETE FROM sessions WHERE user_id = account;
  DELETE FROM trusted_browsers WHERE user_id = account;
  -- their log holds the orders of all sellers
  DELETE FROM hook_endpoints WHERE user_id = account AND is_for_shop;
  UPDATE chat_conversations SET assignee_id = NULL WHERE assignee_id = account;
  DELETE FROM chat_presence WHERE staff_id = account;
  UPDATE report_cases SET taken_by = NULL WHERE taken_by = account AND is_waiting;
  -- a decision counts only while its author may decide
  DELETE FROM payout_confirmations WHERE staff_id = account;
  -- a rejected one names who rejected it
  DELETE FROM refund_approvals WHERE asked_by = account AND state = 'waiting';
END $$;

-- the trigger users_role calls it
CREATE OR REPLACE FUNCTION end_sessions_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM revoke_role(NEW.id);
  RETURN NULL;
END $$;

DELETE FROM hook_endpoints h USING users u WHERE u.id = h.user_id AND h.is_for_shop AND u.role <> 'admin';
DELETE FROM refund_approvals r USING users u
WHERE u.id = r.asked_by AND r.state = 'waiting' AND u.role NOT IN ('admin', 'finance');
