import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import { LOST_SECONDS } from './answering.store.server.ts'
import { SCORE_DAYS } from './settlements.store.server.ts'
import { only } from '../../kit/values/required.ts'

// What an open chat polls: one statement, because every open page asks it again and again.

// Staff count as present for a minute after they viewed the inbox and some minutes after an answer.
const LOOKED_SECONDS = 60
const ANSWERED_MINUTES = 5

type Status = {
  isHere: boolean
  newestId: string | null
  /** Staff have answered since the customer last read the conversation. */
  hasReply: boolean
  questionId: string | null
  /** Of the newest question. */
  state: 'working' | 'failed' | 'stopped' | 'done' | null
  isWithPerson: boolean
  asksScore: boolean
}

const selectStatus = statement<Status, [userId: string | null]>(
  'chat_status',
  `SELECT EXISTS (SELECT FROM chat_presence WHERE seen_at > now() - interval '${LOOKED_SECONDS} seconds')
      OR EXISTS (SELECT FROM chat_messages WHERE author = 'admin' AND created_at > now() - interval '${ANSWERED_MINUTES} minutes') AS "isHere",
    newest.id AS "newestId",
    coalesce(EXISTS (SELECT FROM chat_messages m WHERE m.user_id = c.user_id AND m.author = 'admin' AND m.created_at > c.customer_read_at), false) AS "hasReply",
    a.question_id AS "questionId",
    CASE WHEN a.state = 'working' AND a.started_at < now() - interval '${LOST_SECONDS} seconds' THEN 'failed' ELSE a.state END AS state,
    coalesce(c.mode = 'person', false) AS "isWithPerson",
    coalesce(c.waiting_since IS NULL AND (SELECT s.score IS NULL AND s.settled_at > now() - interval '${SCORE_DAYS} days' FROM chat_settlements s
      WHERE s.user_id = c.user_id ORDER BY s.settled_at DESC LIMIT 1), false) AS "asksScore"
  FROM (SELECT $1::uuid AS user_id) AS u
  LEFT JOIN chat_conversations c USING (user_id)
  LEFT JOIN LATERAL (SELECT id FROM chat_messages m WHERE m.user_id = c.user_id ORDER BY created_at DESC, id DESC LIMIT 1) AS newest ON true
  LEFT JOIN LATERAL (SELECT question_id, state, started_at FROM chat_answers a WHERE a.user_id = c.user_id ORDER BY started_at DESC LIMIT 1) AS a ON true`,
)

/** Of the chat of one member; of the store alone without one. */
export const readStatus = async (pool: pg.Pool, userId: string | null): Promise<Status> =>
  only(await selectStatus(pool, userId))
