-- No row: staff answer this conversation.
-- @name beginAnswer
INSERT INTO chat_answers (question_id, user_id)
SELECT :questionId, user_id FROM chat_conversations WHERE user_id = :userId AND mode <> 'person'
RETURNING question_id;

-- No row: the newest message is not the customer's, or has an answer.
-- @name beginNewest
INSERT INTO chat_answers (question_id, user_id)
SELECT m.id, m.user_id FROM (
  SELECT id, user_id, author FROM chat_messages WHERE user_id = :userId ORDER BY created_at DESC, id DESC LIMIT 1) m
WHERE m.author = 'user'
ON CONFLICT DO NOTHING
RETURNING question_id;

-- `frame` is the subject of the last answer.
-- @name readQuestion
-- @type frame: import('../../assistant/answers/answer.ts').Frame | null
SELECT m.message, m.user_id, m.created_at, last.frame
FROM chat_messages m JOIN chat_answers a ON a.question_id = m.id
LEFT JOIN LATERAL (SELECT before.frame FROM chat_answers before
  WHERE before.user_id = m.user_id AND before.state = 'done' AND before.frame IS NOT NULL
    AND before.started_at > now() - :minutes::int * interval '1 minute'
  ORDER BY before.started_at DESC LIMIT 1) last ON true
WHERE m.id = :questionId;

-- @name lockConversation
SELECT mode FROM chat_conversations WHERE user_id = :userId FOR UPDATE;

-- @name lockAnswer
SELECT state FROM chat_answers WHERE question_id = :questionId FOR UPDATE;

-- @name saveAnswer
-- @null frame, model
UPDATE chat_answers SET state = :state, answer_id = :answerId, intent = :intent, confidence = :confidence, tools = :tools,
  sources = :sources, frame = :frame, model = :model, dropped = :dropped, first_ms = :firstMs, took_ms = :tookMs,
  cost_microdollars = :costMicrodollars
WHERE question_id = :questionId;

-- Sets the start of the wait to the first question since then without an answer of the assistant or staff.
-- @name endWait
UPDATE chat_conversations c SET waiting_since = (
  SELECT min(m.created_at) FROM chat_messages m
  WHERE m.user_id = c.user_id AND m.author = 'user' AND m.created_at >= c.waiting_since - interval '1 second'
    AND m.created_at > coalesce((SELECT max(s.created_at) FROM chat_messages s
      WHERE s.user_id = c.user_id AND s.author = 'admin'), '-infinity')
    AND NOT EXISTS (SELECT FROM chat_answers a JOIN chat_messages r ON r.id = a.answer_id
      WHERE a.question_id = m.id AND a.state = 'done' AND NOT r.is_unsure AND NOT r.offers_person))
WHERE c.user_id = :userId AND c.waiting_since IS NOT NULL;
