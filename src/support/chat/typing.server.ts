import type pg from 'pg'
import { notifyOfCustomer, notifyOfStaff, type NotifyOfStaffInput } from './chat.statements.server.ts'

// Sends typing notices to open pages through the change feed. Stores nothing.

/** Notifies the customer and the pages of colleagues. Returns false if there is no conversation. */
export const notifyOfTypingStaff = async (pool: pg.Pool, typing: NotifyOfStaffInput): Promise<boolean> =>
  (await notifyOfStaff(pool, typing)).length > 0

/** Notifies the pages of staff if the customer is with a person. */
export const notifyOfTypingCustomer = (pool: pg.Pool, userId: string) => notifyOfCustomer(pool, { userId })
