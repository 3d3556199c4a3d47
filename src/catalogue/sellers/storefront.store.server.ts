import type pg from 'pg'
import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { only } from '../../kit/values/required.ts'
import * as statements from './storefront.statements.server.ts'

/** More would let one member keep addresses from others. */
const MAX_HANDLES = 10

/** The seller at a present or former address, as JSON; null where there is no page. */
export async function readSeller(pool: pg.Pool, handle: string): Promise<string | null> {
  const [seller] = await statements.readSeller(pool, { handle })
  return seller?.json ?? null
}

/** The page as its seller edits it, as JSON. */
export const readStorefront = async (pool: pg.Pool, userId: string): Promise<string> =>
  only(await statements.readOwnPage(pool, { userId })).json

const AT_HANDLE = { details: { field: 'handle' } }

/**
 * Saves address and text of a page. Locks the member until the transaction ends. Throws a Failure 409: `handle_taken` for
 * an address of another member, `handles_used` after too many of them.
 */
export async function putStorefront(tx: Tx, userId: string, { handle, bio }: { handle: string; bio: string }) {
  // one change of a member at a time, so that the count holds
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  await tx
    .insertInto('sellerHandles')
    .values({ handle, userId })
    .onConflict((conflict) => conflict.column('handle').doNothing())
    .execute()
  const own = await tx.selectFrom('sellerHandles').select('handle').where('userId', '=', userId).execute()
  if (!own.some((one) => one.handle === handle))
    throw new Failure(409, 'This address is not available. Choose another one.', 'handle_taken', AT_HANDLE)
  if (own.length > MAX_HANDLES)
    throw new Failure(
      409,
      `You have had ${MAX_HANDLES} addresses. Choose one of them again.`,
      'handles_used',
      AT_HANDLE,
    )
  await tx
    .insertInto('storefronts')
    .values({ userId, handle, bio })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ handle, bio }))
    .execute()
}
