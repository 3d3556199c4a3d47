-- @name storeMail
-- @null unsubscribeUrl
INSERT INTO mails (key, recipient, subject, body_text, body_html, unsubscribe_url)
VALUES (:key, :recipient, :subject, :bodyText, :bodyHtml, :unsubscribeUrl)
ON CONFLICT (key) DO NOTHING;

-- Skips mails older than 3 days: they waited for a missing mail server and are out of date.
-- @name leaseDue
UPDATE mails SET due_at = now() + :leaseMs::int * interval '1 millisecond' WHERE id IN (
  SELECT id FROM mails
  WHERE sent_at IS NULL AND refused_at IS NULL AND due_at <= now() AND created_at > now() - interval '3 days'
  ORDER BY created_at LIMIT :limit::int FOR UPDATE SKIP LOCKED)
RETURNING id;

-- @name renewLeases
UPDATE mails SET due_at = now() + :leaseMs::int * interval '1 millisecond'
WHERE id = ANY (:ids::uuid[]) AND due_at IS NOT NULL AND sent_at IS NULL;
