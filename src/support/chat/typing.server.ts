import type pg from 'pg'
import { notifyOfCustomer, notifyOfStaff, type NotifyOfStaffInput } from './chat.statements.server.ts'

// Who types is announced on the channel of the change feed, to open pages alone. Nothing is stored.

/** Notifies the customer and the pages of colleagues. Returns false without a conversation. */
export const notifyOfTypingStaff = async (pool: pg.Pool, typing: NotifyOfStaffInput): Promise<boolean> =>
  (await notifyOfStaff(pool, typing)).length > 0

/** Notifies the pages of staff, while a person answers this customer. */
export const notifyOfTypingCustomer = (pool: pg.Pool, userId: string) => notifyOfCustomer(pool, { userId })
