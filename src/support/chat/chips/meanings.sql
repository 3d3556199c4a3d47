-- The question of an answer of the customer.
-- @name readMissed
SELECT q.message, coalesce(a.intent, '') AS intent, cardinality(m.products) > 0 AS has_products,
  a.reason IS NOT NULL AS has_reason
FROM chat_answers a JOIN chat_messages q ON q.id = a.question_id JOIN chat_messages m ON m.id = a.answer_id
WHERE a.answer_id = :answerId AND a.user_id = :userId;
