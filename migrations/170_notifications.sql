-- Outgoing webhooks: the messages of one owner run one after another, and an address that fails pauses.
ALTER TABLE hook_endpoints
  -- attempts that failed since the last success
  ADD COLUMN failures int NOT NULL DEFAULT 0,
  ADD COLUMN paused_until timestamptz;

CREATE OR REPLACE FUNCTION queue_hook(endpoint uuid, event text, data jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  message uuid;
BEGIN
  INSERT INTO hook_messages (endpoint_id, type, body) VALUES (endpoint, event, jsonb_build_object('type', event,
      'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)::text)
    RETURNING id INTO message;
  PERFORM graphile_worker.add_job('send_hook', json_build_object('id', message),
    queue_name => 'hooks:' || (SELECT user_id FROM hook_endpoints WHERE id = endpoint), job_key => 'hook:' || message);
  RETURN message;
END $$;
