import { sql } from 'kysely'
import { now, type Tx } from '../../kit/database.server.ts'

export const UNDO = 'email-undo'

/** Returns true while a mailed link can restore this address to its former account. */
export async function isRestorable(tx: Tx, email: string): Promise<boolean> {
  const undo = await tx
    .selectFrom('verifications')
    .select('id')
    .where(sql`split_part(identifier, ':', 1)`, '=', UNDO)
    .where(sql`value ->> 'from'`, '=', email)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return undo !== undefined
}
