import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import * as statements from './chat.statements.server.ts'

/** Records that staff resolved a conversation. Without a new message since the last time, its rating stays. */
export const noteSettlement = (tx: Tx, userId: string, staffId: string) =>
  statements.noteSettlement(tx, { userId, staffId })

/** The chat asks for a rating for this long after staff resolved the conversation. */
export const SCORE_DAYS = 7

/** Rates the last resolution once; a repeated call changes nothing. Returns false if no rating is due. */
export async function score(db: Db, userId: string, given: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chatSettlements')
    .set({ score: given })
    .where((one) => one.or([one('score', 'is', null), one('score', '=', given)]))
    .where(sql<boolean>`settled_at > now() - ${SCORE_DAYS} * interval '1 day'`)
    .where('id', '=', (one) =>
      one.selectFrom('chatSettlements').select('id').where('userId', '=', userId).orderBy('settledAt', 'desc').limit(1),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
