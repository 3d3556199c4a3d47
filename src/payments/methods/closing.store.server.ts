import { sql } from 'kysely'
import { type Db, now } from '../../kit/database.server.ts'
import type { Provider } from '../provider.ts'

const ENDED = ['canceled', 'expired', 'failed'] as const

/** Ended payments of a provider that may still take money, oldest first. The pause between two looks grows with their age. */
export const findUnclosed = (db: Db, { name, mode }: Pick<Provider, 'name' | 'mode'>): Promise<{ id: string }[]> =>
  db
    .selectFrom('payments')
    .select('id')
    .where('provider', '=', name)
    .where('mode', '=', mode)
    .where('status', 'in', ENDED)
    .where('closedAt', 'is', null)
    .where('providerOrderId', 'is not', null)
    .where('createdAt', '>', sql<Date>`now() - interval '7 days'`)
    .where('updatedAt', '<', sql<Date>`now() - greatest(interval '10 seconds', (now() - created_at) / 10)`)
    .orderBy('updatedAt')
    .limit(100)
    .execute()

/** Notes that the provider takes no more money for an ended payment, or that it was asked. */
export async function noteClosing(db: Db, id: string, isClosed: boolean) {
  await db
    .updateTable('payments')
    .set({ updatedAt: now, ...(isClosed && { closedAt: now }) })
    .where('id', '=', id)
    .where('status', 'in', ENDED)
    .execute()
}
