import { sql } from 'kysely'
import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { noteWait } from './inbox.statements.server.ts'

type Wait = { userId: string; staffId: string; seenId: string | undefined }

/**
 * Runs in the transaction of an answer, after its conversation is locked and before its wait ends. The lock makes
 * simultaneous answers run one at a time. Throws a 409 Failure if another agent has answered. Records the wait, and
 * assigns the conversation to the agent if it has no assignee.
 */
export async function claimAnswer(tx: Tx, { userId, staffId, seenId }: Wait, answerId: string) {
  if (seenId !== undefined) {
    const other = await tx
      .selectFrom('chatMessages as m')
      .leftJoin('users as u', 'u.id', 'm.staffId')
      .select('u.firstName')
      .where('m.userId', '=', userId)
      .where('m.author', '=', 'admin')
      .where('m.id', '<>', answerId)
      .where(sql<boolean>`m.staff_id IS DISTINCT FROM ${staffId}::uuid`)
      .where(
        sql<boolean>`m.created_at > (SELECT created_at FROM chat_messages WHERE id = ${seenId} AND user_id = ${userId})`,
      )
      .executeTakeFirst()
    if (other)
      throw new Failure(
        409,
        `${other.firstName ?? 'Another agent'} has answered meanwhile. Read the answer first.`,
        'answered',
      )
  }
  // A message that the assistant answered or staff resolved does not wait.
  await noteWait(tx, { userId, staffId })
  await tx
    .updateTable('chatConversations')
    .set({ assigneeId: sql`coalesce(assignee_id, ${staffId}::uuid)` })
    .where('userId', '=', userId)
    .execute()
}
