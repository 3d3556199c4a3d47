import type pg from 'pg'
import { shownName } from '../../catalogue/product.sql.server.ts'
import { type Db, inTransaction, statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { isoOf } from '../../kit/sql/json.server.ts'

/** More would let one member keep addresses from others. */
const MAX_HANDLES = 10

/** The seller at a present or former address, as JSON; null where there is no page. */
export async function readSeller(pool: pg.Pool, handle: string): Promise<string | null> {
  const [seller] = await sellerStatement(pool, handle)
  return seller?.json ?? null
}

const REVIEWS = 'sum(r.stars_1 + r.stars_2 + r.stars_3 + r.stars_4 + r.stars_5)'
const STARS = 'sum(r.stars_1 + 2 * r.stars_2 + 3 * r.stars_3 + 4 * r.stars_4 + 5 * r.stars_5)'

const sellerStatement = statement<{ json: string }, [handle: string]>(
  'seller',
  `SELECT json_build_object('id', u.id, 'handle', s.handle, 'name', ${shownName('u', 'Primo seller')},
    'bio', CASE WHEN b.is_suspended THEN '' ELSE s.bio END, 'avatarUrl', CASE WHEN NOT b.is_suspended AND u.image LIKE '/images/%' THEN u.image END,
    'since', ${isoOf('s.opened_at')},
    'products', (SELECT count(*) FROM products p WHERE p.seller_id = u.id AND p.is_listed),
    'rated', (SELECT CASE WHEN ${REVIEWS} > 0 THEN json_build_object('stars', round(${STARS}::numeric / ${REVIEWS}, 1),
      'reviews', ${REVIEWS}, 'samples', sum(r.samples)) END
      FROM products p JOIN ratings r ON r.product_id = p.id WHERE p.seller_id = u.id AND p.deleted_at IS NULL))::text AS json
  FROM seller_handles h JOIN storefronts s ON s.user_id = h.user_id JOIN users u ON u.id = s.user_id
  CROSS JOIN LATERAL (SELECT EXISTS (
    SELECT FROM suspensions WHERE seller_id = u.id AND lifted_at IS NULL) AS is_suspended) b
  WHERE h.handle = $1 AND s.opened_at IS NOT NULL`,
)

export async function readStorefront(db: Db, userId: string) {
  const own = await db
    .selectFrom('storefronts')
    .select(['handle', 'bio', 'openedAt'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return { handle: own?.handle ?? null, bio: own?.bio ?? '', isOpen: own !== undefined && own.openedAt !== null }
}

/** Throws a Failure 409: `handle_taken` for another's address, `handles_used` after too many of them. */
export const putStorefront = (db: Db, userId: string, { handle, bio }: { handle: string; bio: string }) =>
  inTransaction(db, async (tx) => {
    // one change of a member at a time, so that the count holds
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
