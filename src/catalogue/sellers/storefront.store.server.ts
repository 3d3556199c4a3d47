import type pg from 'pg'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import * as statements from './storefront.statements.server.ts'

/** More would let a member block addresses for others. */
const MAX_HANDLES = 10

/** Reads the seller at a current or former address as JSON; null without a page. */
export async function readSeller(pool: pg.Pool, handle: string): Promise<string | null> {
  const [seller] = await statements.readSeller(pool, { handle })
  return seller?.json ?? null
}

export async function readStorefront(db: Db, userId: string) {
  const own = await db
    .selectFrom('storefronts')
    .select(['handle', 'bio', 'openedAt'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return { handle: own?.handle ?? null, bio: own?.bio ?? '', isOpen: own !== undefined && own.openedAt !== null }
}

/** Throws a Failure 409: `handle_taken` for another member's address, `handles_used` above the maximum. */
export const putStorefront = (db: Db, userId: string, { handle, bio }: { handle: string; bio: string }) =>
  inTransaction(db, async (tx) => {
    // serializes a member's changes, so that the count is correct
    await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    await tx
      .insertInto('sellerHandles')
      .values({ handle, userId })
      .onConflict((conflict) => conflict.column('handle').doNothing())
      .execute()
    const own = await tx.selectFrom('sellerHandles').select('handle').where('userId', '=', userId).execute()
    if (!own.some((one) => one.handle === handle))
      throw new Failure(409, 'This address is not available. Choose another one.', 'handle_taken')
    if (own.length > MAX_HANDLES)
      throw new Failure(409, `You have had ${MAX_HANDLES} addresses. Choose one of them again.`, 'handles_used')
    await tx
      .insertInto('storefronts')
      .values({ userId, handle, bio })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet({ handle, bio }))
      .execute()
  })
