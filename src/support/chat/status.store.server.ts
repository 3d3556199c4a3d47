import type pg from 'pg'
import { LOST_SECONDS } from './answering.store.server.ts'
import * as statements from './chat.statements.server.ts'
import { SCORE_DAYS } from './settlements.store.server.ts'
import { only } from '../../kit/values/required.ts'

// The status that an open chat polls. One statement, because every open page polls it.

// Staff count as present for a minute after they viewed the inbox, and for some minutes after an answer.
const LOOKED_SECONDS = 60
const ANSWERED_MINUTES = 5

/** Returns the status of a member's chat, or without a member only that of the store. */
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
