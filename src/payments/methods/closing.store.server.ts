import { type Db, now } from '../../kit/database.server.ts'
import { listUnclosed } from '../payments.statements.server.ts'
import type { Provider } from '../provider.ts'

const ENDED = ['canceled', 'expired', 'failed'] as const

/** Ended payments of a provider that may still take money, oldest first. */
export const findUnclosed = (db: Db, { name, mode }: Pick<Provider, 'name' | 'mode'>): Promise<{ id: string }[]> =>
  listUnclosed(db, { provider: name, mode })

/** Notes that the provider takes no more money for an ended payment, or that it was asked. */
export async function noteClosing(db: Db, id: string, isClosed: boolean) {
  await db
    .updateTable('payments')
    .set({ updatedAt: now, ...(isClosed && { closedAt: now }) })
    .where('id', '=', id)
    .where('status', 'in', ENDED)
    .execute()
}
