import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { findRestockedBundles, readWanted, takeWaits } from './waits.statements.server.ts'
import { endWait, getWait, MAX_WAITS, startWait } from './waits.contract.ts'

// Notifies members once when a product is back in stock.

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
    const [product] = await readWanted(db, { productId: id, userId: user.id })
    if (product?.isSoldOut && product.hasVariants)
      throw new Failure(409, 'Choose a variant on the page of the product first.', 'variant_missing')
    if (product?.isOnSale) throw new Failure(409, 'It is back in stock already.', 'in_stock')
    if (!product?.isSoldOut) throw new Failure(404, 'Product not found')
    if (product.waits >= MAX_WAITS)
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
  // a bundle is back when its parts are, or when its seller relists a part
  {
    name: 'tell_bundles_restocked',
    pool: 'other',
    cron: '* * * * *',
    run: async () => {
      for (const { id } of await findRestockedBundles(db, {})) await notifyRestocked(db, mailing, id)
    },
  },
]

/** Deletes each request in the transaction that notifies its member. If the stock ends, the others stay. */
async function notifyRestocked(db: Db, mailing: Mailing, productId: string) {
  while ((await inTransaction(db, (tx) => describeSome(tx, mailing, productId))) === AT_ONCE);
}

async function describeSome(tx: Tx, { config, publicUrl }: Mailing, productId: string): Promise<number> {
  const rows = await takeWaits(tx, { productId, limit: AT_ONCE })
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
