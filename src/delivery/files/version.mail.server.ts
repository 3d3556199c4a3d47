import { sql } from 'kysely'
import { shownName } from '../../catalogue/product.sql.server.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { lastOf } from '../../kit/values/required.ts'

// Tells the buyers of an earlier version about a newer file that its seller wrote a note for.

const AT_ONCE = 500

type Mailing = {
  db: Db
  config: Pick<Config, 'storeName'>
  publicUrl: string
  unsubscribeUrlOf: (list: 'versions', userId: string) => string
}

export const versionJobs = (mailing: Mailing): Job[] => [
  { name: 'mail_new_version', pool: 'other', run: ({ fileId = '' }) => mailNewVersion(mailing, fileId) },
]

/** A buyer gets one mail a day about a product at most. */
export async function mailNewVersion({ db, config, publicUrl, unsubscribeUrlOf }: Mailing, fileId: string) {
  const version = await findVersion(db, fileId)
  if (!version) return
  const { productId, part, title, note, seller, day } = version
  let after: string | null = null
  for (;;) {
    const buyers = await inTransaction(db, async (tx) => {
      const found = await findBuyers(tx, { productId, part, fileId, after })
      for (const { userId, email, orderId } of found)
        await sendMail(tx, config, {
          key: `version:${productId}:${userId}:${day}`,
          to: email,
          subject: `A newer version of “${title}”`,
          lines: [`${seller} has sent a newer version of “${title}”, which you bought.`, note!],
          action: { label: 'Open your order', url: `${publicUrl}/orders/${orderId}` },
          unsubscribeUrl: unsubscribeUrlOf('versions', userId),
        })
      return found
    })
    if (buyers.length < AT_ONCE) return
    after = lastOf(buyers).userId
  }
}

/** None for a file that another has replaced, and for products that staff took off sale. */
const findVersion = (db: Db, fileId: string) =>
  db
    .selectFrom('productFiles')
    .innerJoin('products', 'products.id', 'productFiles.productId')
    .innerJoin('users', 'users.id', 'products.sellerId')
    .select([
      ...(['productFiles.productId', 'productFiles.part', 'products.title', 'productFiles.note'] as const),
      sql<string>`${sql.raw(shownName('users', 'The seller'))}`.as('seller'),
      sql<string>`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`.as('day'),
    ])
    .where('productFiles.id', '=', fileId)
    .where(sql<boolean>`product_files.id = ANY (products.file_id || products.more_file_ids)`)
    .where('productFiles.note', 'is not', null)
    .where('products.takenDown', 'is', null)
    .where('products.isSuspended', '=', false)
    .where('products.deletedAt', 'is', null)
    .executeTakeFirst()

/** Buyers of another version of the same file who want such mails, each with the newest order. */
const findBuyers = (
  tx: Tx,
  { productId, part, fileId, after }: { productId: string; part: number; fileId: string; after: string | null },
) =>
  tx
    .selectFrom('entitlements')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .innerJoin('users', 'users.id', 'entitlements.userId')
    .distinctOn('entitlements.userId')
    .select(['entitlements.userId', 'users.email', 'orderLines.orderId'])
    .where(
      sql<boolean>`entitlements.product_id = ANY (ARRAY (SELECT id FROM products WHERE id = ${productId}::uuid OR variant_of = ${productId}::uuid))`,
    )
    .where('entitlements.revokedAt', 'is', null)
    .where(
      sql<boolean>`EXISTS (SELECT FROM product_files b WHERE b.id = ANY (entitlements.file_id || order_lines.more_file_ids)
        AND b.product_id = ${productId}::uuid AND b.part = ${part} AND b.id <> ${fileId}::uuid)`,
    )
    .where('users.wantsVersions', '=', true)
    .where('users.emailVerified', '=', true)
    .where('users.eraseAt', 'is', null)
    .where('users.erasedAt', 'is', null)
    .where('users.mailRefusedAt', 'is', null)
    .$call((query) => (after !== null ? query.where('entitlements.userId', '>', after) : query))
    .orderBy('entitlements.userId')
    .orderBy('entitlements.createdAt', 'desc')
    .limit(AT_ONCE)
    .execute()
