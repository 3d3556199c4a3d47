-- `isMailRefused`: the recipient's mail server permanently refused the newest mail.
-- @name readAccount
SELECT json_build_object('wantsNews', u.wants_news, 'wantsVersions', u.wants_versions,
  'wantsReviewRequests', u.wants_review_requests, 'wantsReviewMails', u.wants_review_mails, 'wantsMessages', u.wants_messages,
  'wantsFollows', u.wants_follows,
  'lastLoginAt', iso_of(coalesce((SELECT max(created_at) FROM sessions WHERE user_id = u.id), now())),
  'hasPassword', EXISTS (SELECT FROM accounts WHERE user_id = u.id AND provider_id = 'credential' AND password IS NOT NULL),
  'isMailRefused', u.mail_refused_at IS NOT NULL OR coalesce((SELECT refused_at IS NOT NULL FROM mails
    WHERE recipient = u.email AND (sent_at IS NOT NULL OR refused_at IS NOT NULL) ORDER BY created_at DESC LIMIT 1), false),
  'keptAt', CASE WHEN u.kept_at > now() - interval '14 days' THEN iso_of(u.kept_at) END,
  'pausedUntil', (SELECT iso_of(max(expires_at)) FROM risk_blocks WHERE kind = 'account' AND subject = u.id::text
    AND lifted_at IS NULL AND expires_at > now()),
  'suspension', (SELECT json_build_object('reason', reason, 'endsAt', iso_of(ends_at)) FROM suspensions
    WHERE seller_id = u.id AND lifted_at IS NULL))::text AS json
FROM users u WHERE u.id = :userId;

-- @name eraseBelongings
SELECT erase_belongings(:userId::uuid)::text AS erased;
