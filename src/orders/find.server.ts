import { sql } from 'kysely'
import type { Db } from '../kit/database.server.ts'
import { readOrderNumber } from './number.rules.ts'

const MAX_TWINS = 10

export type NumberedOrder = { id: string; buyer: string; totalCents: number; createdAt: Date }

/** Orders with this number, whole or its last eight characters. Two orders may share those. */
export async function findByNumber(db: Db, typed: string): Promise<NumberedOrder[]> {
  const number = readOrderNumber(typed)
  if (!number) return []
  return db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.userId')
    .select(['orders.id', 'users.email as buyer', 'orders.totalCents', 'orders.createdAt'])
    .$if(number.isWhole, (query) => query.where('orders.id', '=', number.text))
    .$if(!number.isWhole, (query) => query.where(sql`right(orders.id::text, 8)`, '=', number.text))
    .orderBy('orders.createdAt', 'desc')
    .limit(MAX_TWINS)
    .execute()
}
