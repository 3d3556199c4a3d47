import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'

/** Staff settled a conversation. Until the customer writes again it is the same settlement, so its score stays. */
export const noteSettlement = (tx: Tx, userId: string, staffId: string) =>
  sql`INSERT INTO chat_settlements (user_id, staff_id) SELECT ${userId}, ${staffId}
    WHERE NOT EXISTS (SELECT FROM chat_settlements s WHERE s.user_id = ${userId} AND s.settled_at > (
      SELECT max(created_at) FROM chat_messages WHERE user_id = ${userId} AND author = 'user'))`.execute(tx)

/** Scores the last settlement. False if there is none. */
export async function score(db: Db, userId: string, given: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chatSettlements')
    .set({ score: given })
    .where('id', '=', (one) =>
      one.selectFrom('chatSettlements').select('id').where('userId', '=', userId).orderBy('settledAt', 'desc').limit(1),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
