import type pg from 'pg'
import { notifyCustomer, notifyStaff } from './chat.statements.server.ts'

// Who types is announced on the channel of the change feed, to open pages alone. Nothing is stored.

/** Returns false without a conversation. */
export const notifyCustomerOfTyping = async (pool: pg.Pool, userId: string): Promise<boolean> =>
  (await notifyCustomer(pool, { userId })).length > 0

/** To the pages of staff, while a person answers this customer. */
export const notifyStaffOfTyping = (pool: pg.Pool, userId: string) => notifyStaff(pool, { userId })
