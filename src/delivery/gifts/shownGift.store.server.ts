import type pg from 'pg'
import type { ShownGift } from './gifts.contract.ts'
import * as statements from './gifts.statements.server.ts'
import { hashGiftToken } from './gifts.store.server.ts'

/** Reads the gift of a link, without the goods. */
export async function readShownGift(pool: pg.Pool, token: string, userId: string | null): Promise<ShownGift | null> {
  const [found] = await statements.readShownGift(pool, { tokenHash: hashGiftToken(token), userId })
  return found?.gift ?? null
}
