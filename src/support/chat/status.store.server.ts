import type pg from 'pg'
import { LOST_SECONDS } from './answering.store.server.ts'
import * as statements from './chat.statements.server.ts'
import { SCORE_DAYS } from './settlements.store.server.ts'
import { only } from '../../kit/values/required.ts'

// What an open chat polls: one statement, because every open page asks it again and again.

// Staff count as present for a minute after they viewed the inbox and some minutes after an answer.
const LOOKED_SECONDS = 60
const ANSWERED_MINUTES = 5

/** Of the chat of one member; of the store alone without one. */
export const readStatus = async (pool: pg.Pool, userId: string | null): Promise<statements.ReadStatusRow> =>
  only(
    await statements.readStatus(pool, {
      userId,
      lookedSeconds: LOOKED_SECONDS,
      answeredMinutes: ANSWERED_MINUTES,
      lostSeconds: LOST_SECONDS,
      scoreDays: SCORE_DAYS,
    }),
  )
