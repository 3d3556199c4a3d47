-- Push subscriptions of browsers whose session has not expired.
CREATE OR REPLACE VIEW live_subscription AS
SELECT p.id, p.user_id, p.endpoint, p.p256dh, p.auth FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
WHERE s.expires_at > now() AND s.created_at > now() - interval '14 days';
