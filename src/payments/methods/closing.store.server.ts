import { type Db, now } from '../../kit/database.server.ts'
import { listUnclosed } from '../payments.statements.server.ts'
import type { Provider } from '../provider.ts'

const ENDED = ['canceled', 'expired', 'failed'] as const

/** Finds ended payments that the provider could still capture, oldest first. */
export const findUnclosed = (db: Db, { name, mode }: Pick<Provider, 'name' | 'mode'>): Promise<{ id: string }[]> =>
  listUnclosed(db, { provider: name, mode })

/** Records that the provider closed an ended payment, or only the time of the request. */
export async function noteClosing(db: Db, id: string, isClosed: boolean) {
  await db
    .updateTable('payments')
    .set({ updatedAt: now, ...(isClosed && { closedAt: now }) })
    .where('id', '=', id)
    .where('status', 'in', ENDED)
    .execute()
}
