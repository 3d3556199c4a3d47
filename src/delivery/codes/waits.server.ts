import { sql } from 'kysely'
import { IS_SOLD_OUT } from '../../catalogue/product.sql.server.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { endWait, getWait, MAX_WAITS, startWait } from './waits.contract.ts'

// Members who asked hear once when a product is back in stock.

const changes: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const waitRoutes: Route[] = [
  handle(getWait, async ({ id }, { user, db }) => {
    const wait = await db
      .selectFrom('stockWaits')
      .select('productId')
      .where('productId', '=', id)
      .where('userId', '=', user.id)
      .executeTakeFirst()
    return { isWaiting: wait !== undefined }
  }),

  handle(startWait, { limits: changes }, async ({ id }, { user, db }) => {
    const { rows } = await sql<{ isOut: boolean; isOnSale: boolean; hasVariants: boolean; count: number }>`
      SELECT ${sql.raw(IS_SOLD_OUT)} AS "isOut", p.is_on_sale AS "isOnSale", p.has_variants AS "hasVariants",
        (SELECT count(*)::int FROM stock_waits WHERE user_id = ${user.id}::uuid) AS count
      FROM products p WHERE p.id = ${id}::uuid`.execute(db)
    const [product] = rows
    if (product?.isOut && product.hasVariants)
      throw new Failure(409, 'Choose a variant on the page of the product first.', 'variant_missing')
    if (product?.isOnSale) throw new Failure(409, 'It is back in stock already.', 'in_stock')
    if (!product?.isOut) throw new Failure(404, 'Product not found')
    if (product.count >= MAX_WAITS)
      throw new Failure(409, `You can wait for ${MAX_WAITS} products at once.`, 'too_many')
    await db
      .insertInto('stockWaits')
      .values({ productId: id, userId: user.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { isWaiting: true }
  }),

  handle(endWait, { limits: changes }, async ({ id }, { user, db }) => {
    await db.deleteFrom('stockWaits').where('productId', '=', id).where('userId', '=', user.id).execute()
    return { isWaiting: false }
  }),
]

type Mailing = { config: Pick<Config, 'storeName'>; publicUrl: string }

const AT_ONCE = 100

export const waitJobs = (db: Db, mailing: Mailing): Job[] => [
  { name: 'tell_restocked', pool: 'other', run: ({ productId = '' }) => notifyRestocked(db, mailing, productId) },
  // a bundle comes back with its parts, also with one that its seller puts on sale again
  {
    name: 'tell_bundles_restocked',
    pool: 'other',
    cron: '* * * * *',
    run: async () => {
      const { rows } = await sql<{
        id: string
      }>`SELECT p.id FROM products p
        WHERE p.delivery = 'bundle' AND p.is_listed AND EXISTS (SELECT FROM stock_waits w WHERE w.product_id = p.id)`.execute(
        db,
      )
      for (const { id } of rows) await notifyRestocked(db, mailing, id)
    },
  },
]

/** Each wish ends in the transaction that sends its notice. A product that has sold out meanwhile keeps those that are left. */
async function notifyRestocked(db: Db, mailing: Mailing, productId: string) {
  while ((await inTransaction(db, (tx) => describeSome(tx, mailing, productId))) === AT_ONCE);
}

async function describeSome(tx: Tx, { config, publicUrl }: Mailing, productId: string): Promise<number> {
  const { rows } = await sql<{ userId: string; at: string; email: string | null; title: string }>`
    DELETE FROM stock_waits w USING products p, users u
    WHERE p.id = w.product_id AND u.id = w.user_id AND (w.product_id, w.user_id) IN (
      SELECT product_id, user_id FROM stock_waits WHERE product_id = ${productId}::uuid
        AND EXISTS (SELECT FROM products WHERE id = ${productId}::uuid AND is_on_sale)
      ORDER BY created_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING w.user_id, extract(epoch FROM w.created_at)::text AS at, p.title,
      CASE WHEN u.erased_at IS NULL AND u.mail_refused_at IS NULL THEN u.email END AS email`.execute(tx)
  for (const { userId, at, email, title } of rows) {
    const key = `restocked:${productId}:${userId}:${at}`
    const path = `/product/${productId}`
    if (email !== null)
      await sendMail(tx, config, {
        ...{ key, to: email, subject: `“${title}” is back in stock` },
        lines: [
          `You asked us to tell you: “${title}” can be bought again.`,
          'We tell you once. It may sell out again.',
        ],
        action: { label: 'Open it', url: publicUrl + path },
      })
    await sendPush(tx, userId, { key, title: 'Back in stock', body: title, url: path })
  }
  return rows.length
}

export const forgetWaitsOf = (tx: Tx, userId: string) =>
  tx.deleteFrom('stockWaits').where('userId', '=', userId).execute()
