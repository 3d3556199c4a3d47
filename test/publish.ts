import { sql } from 'kysely'
import type { Person, TestShop } from './shop.ts'

/** Adds a product of a seller. The first one on sale opens the page of the seller. A draft is not on sale. */
export async function publish(
  { database: { db } }: TestShop,
  { id: sellerId }: Person,
  title: string,
  { isDraft = false } = {},
): Promise<{ id: string }> {
  const product = { sellerId, title, categoryId: 'software', priceCents: 500, delivery: 'license' as const }
  return db
    .insertInto('products')
    .values({ ...product, isActive: !isDraft })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Moves all follows and publications back by `hours`. Without `sameDay`, the sent messages move to an earlier day. */
export async function passHours({ database: { db } }: TestShop, hours: number, { sameDay = false } = {}) {
  const age = sql`${hours} * interval '1 hour'`
  await sql`UPDATE publications SET published_at = published_at - ${age}`.execute(db)
  await sql`UPDATE follows SET since = since - ${age}, notified_until = notified_until - ${age}, seen_until = seen_until - ${age}`.execute(
    db,
  )
  if (sameDay) return
  await sql`UPDATE follows SET notified_on = notified_on - 1`.execute(db)
  await sql`UPDATE mails SET key = 'follow:' || id WHERE key LIKE 'follow:%'`.execute(db)
  await sql`UPDATE graphile_worker._private_jobs SET key = 'push:follow:' || id WHERE key LIKE 'push:follow:%'`.execute(
    db,
  )
}
