import { statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { isoOf } from '../../kit/sql/json.server.ts'
import { BRIEF_FIELDS } from '../product.sql.server.ts'
import { listSaved, MAX_SAVED, saveProduct, unsaveProduct } from './wishlist.contract.ts'

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const wishlistRoutes = [
  handle(listSaved, async (_, { user, pool }) => {
    const [all] = await readSaved(pool, user.id)
    return asJson(all!.json)
  }),

  handle(saveProduct, { limits }, async ({ id }, { user, pool }) => {
    const [saved] = await insertSaved(pool, user.id, id, MAX_SAVED)
    if (!saved!.is_wanted) throw new Failure(404, 'Product not found')
    if (!saved!.is_saved) throw new Failure(409, `A wishlist can hold up to ${MAX_SAVED} products.`, 'wishlist_full')
    return { isSaved: true }
  }),

  handle(unsaveProduct, { limits }, async ({ id }, { user, pool }) => {
    await removeSaved(pool, user.id, id)
    return { isSaved: false }
  }),
]

const readSaved = statement<{ json: string }, [userId: string]>(
  'wishlist_read',
  `SELECT coalesce(json_agg(json_build_object(${BRIEF_FIELDS},
      'savedAt', ${isoOf('s.created_at')}
    ) ORDER BY s.created_at DESC, s.product_id), '[]')::text AS json
  FROM saved_products s JOIN products p ON p.id = s.product_id WHERE s.user_id = $1 AND s.removed_at IS NULL`,
)

/** A product that is not for sale cannot be saved, but Undo can restore it. */
const insertSaved = statement<{ is_wanted: boolean; is_saved: boolean }, [userId: string, id: string, most: number]>(
  'wishlist_save',
  `WITH mine AS (SELECT * FROM saved_products WHERE user_id = $1),
    wanted AS (SELECT id FROM products WHERE id = $2 AND (is_listed OR EXISTS (SELECT FROM mine WHERE product_id = $2))),
    saved AS (
      INSERT INTO saved_products (user_id, product_id)
      SELECT $1, id FROM wanted
      WHERE (SELECT count(*) FROM mine WHERE removed_at IS NULL AND product_id <> $2) < $3::int
      ON CONFLICT (user_id, product_id) DO UPDATE SET removed_at = NULL, created_at = CASE
        WHEN saved_products.removed_at < now() - interval '1 minute' THEN now() ELSE saved_products.created_at END
      RETURNING 1)
  SELECT EXISTS (SELECT FROM wanted) AS is_wanted, EXISTS (SELECT FROM saved) AS is_saved`,
)

/** Removes a product, and deletes rows that were removed long ago. */
const removeSaved = statement<Record<string, never>, [userId: string, id: string]>(
  'wishlist_remove',
  `WITH swept AS (DELETE FROM saved_products WHERE user_id = $1 AND product_id <> $2 AND removed_at < now() - interval '1 day')
  UPDATE saved_products SET removed_at = now() WHERE user_id = $1 AND product_id = $2 AND removed_at IS NULL`,
)
