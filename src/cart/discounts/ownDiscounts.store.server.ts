import { sql } from 'kysely'
import type pg from 'pg'
import { asPage, readCursor } from '../../catalogue/shelf/cursor.server.ts'
import type { Input } from '../../kit/contract.ts'
import { codeOf, type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { JsonText } from '../../kit/handle.server.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { only } from '../../kit/values/required.ts'
import { type DiscountWords, type listOwnDiscounts, MANY_DISCOUNTS, type OwnDiscount } from './ownDiscounts.contract.ts'
import * as statements from './ownDiscounts.statements.server.ts'

type Own = { sellerId: string; id: string }

const MISSING = new Failure(404, 'Not found')
const TAKEN = new Failure(409, 'You have a code with this name.', 'code_taken')
const ENDED = new Failure(409, 'This code has ended. Change its last day to use it again.', 'ended')
const CHANGED = new Failure(409, 'This code was changed elsewhere. Compare both versions and save again.', 'changed')
const USED = new Failure(409, 'Orders have used this code, so it stays. End it instead.', 'used')

// violated foreign key: 23001 since PostgreSQL 18, 23503 in earlier versions
const REFERRED = new Set(['23001', '23503'])

export async function readDiscounts(
  pool: pg.Pool,
  sellerId: string,
  { limit = MANY_DISCOUNTS, after }: Input<typeof listOwnDiscounts>,
): Promise<JsonText> {
  const [micros = null, id = null] = readCursor(after, 'discounts', ['number', 'id'])
  const most = Number(limit)
  const before = { beforeMicros: micros === null ? null : Number(micros), beforeId: id === null ? null : String(id) }
  const [rows, { codes: total }] = await Promise.all([
    statements.listOwn(pool, { sellerId, wantedId: null, ...before, most: most + 1 }),
    statements.countOwn(pool, { sellerId }).then(only),
  ])
  const page = rows.slice(0, most)
  const last = rows.length > most ? page.at(-1) : undefined
  const next = last ? JSON.stringify([last.createdMicros, last.id]) : null
  const json = JSON.stringify(page.map(toOwn))
  return asPage({ json, total, next }, 'discounts', '/api/account/discounts', { limit })
}

/** Throws a Failure 404 unless the code is the seller's. */
export async function readDiscount(pool: pg.Pool, { id, sellerId }: Own): Promise<OwnDiscount> {
  const start = { beforeMicros: null, beforeId: null }
  const [row] = await statements.listOwn(pool, { sellerId, wantedId: id, ...start, most: 1 })
  if (!row) throw MISSING
  return toOwn(row)
}

function toOwn({
  amountCents,
  startsAt,
  endsAt,
  revenueCents,
  createdMicros: _,
  ...row
}: statements.ListOwnRow): OwnDiscount {
  return {
    ...row,
    amount: amountCents === null ? null : toDecimal(amountCents),
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    revenue: toDecimal(revenueCents),
  }
}

const rowOf = ({ amount, productIds, startsAt, endsAt, ...words }: DiscountWords) => ({
  ...words,
  amountCents: amount === null ? null : toCents(amount),
  isForAll: productIds === null,
  startsAt: startsAt === null ? null : new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
})

export async function insertDiscount(db: Db, sellerId: string, words: DiscountWords): Promise<string> {
  return refuseTaken(() =>
    inTransaction(db, async (tx) => {
      const { id } = await tx
        .insertInto('discounts')
        .values({ sellerId, ...rowOf(words) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await setProducts(tx, { id, sellerId }, words.productIds)
      return id
    }),
  )
}

/** Throws a Failure 404 unless the code is the seller's, 409 for an older version or more uses than `mostUses`. */
export async function updateDiscount(db: Db, own: Own, version: number, words: DiscountWords) {
  await refuseTaken(() =>
    inTransaction(db, async (tx) => {
      const { uses, version: saved } = await lockOwn(tx, own)
      if (saved !== version) throw CHANGED
      if (words.mostUses !== null && words.mostUses < uses)
        throw new Failure(409, `Orders have used this code ${uses} times already.`, 'used_more')
      const edit = { ...rowOf(words), version: version + 1 }
      await tx.updateTable('discounts').set(edit).where('id', '=', own.id).execute()
      await setProducts(tx, own, words.productIds)
    }),
  )
}

/** Throws a Failure 404 unless the code is the seller's, 409 if it has ended. */
export const moveDiscount = (db: Db, own: Own, state: 'active' | 'paused' | 'ended') =>
  inTransaction(db, async (tx) => {
    const { isEnded, version } = await lockOwn(tx, own)
    if (isEnded) throw ENDED
    const change =
      state === 'ended'
        ? // removes the start of a planned code, so that the end is not before the start
          {
            endsAt: now,
            startsAt: sql<Date | null>`CASE WHEN starts_at < now() THEN starts_at END`,
            version: version + 1,
          }
        : { pausedAt: state === 'paused' ? now : null }
    await tx.updateTable('discounts').set(change).where('id', '=', own.id).execute()
  })

/** Throws a Failure 404 unless the code is the seller's, 409 if an order has used it. */
export async function deleteDiscount(db: Db, { id, sellerId }: Own) {
  try {
    const gone = db.deleteFrom('discounts').where('id', '=', id).where('sellerId', '=', sellerId)
    if ((await gone.executeTakeFirst()).numDeletedRows === 0n) throw MISSING
  } catch (error) {
    throw REFERRED.has(codeOf(error)) ? USED : error
  }
}

/** Deletes the codes in the cart of an erased account, and its own codes. Pauses codes that orders have used. */
export async function forgetDiscountsOf(tx: Tx, userId: string) {
  await tx.deleteFrom('cartDiscounts').where('userId', '=', userId).execute()
  await statements.deleteUnused(tx, { sellerId: userId })
  await tx.updateTable('discounts').set({ pausedAt: now }).where('sellerId', '=', userId).execute()
}

async function lockOwn(tx: Tx, { id, sellerId }: Own) {
  const own = await tx
    .selectFrom('discounts')
    .select(['uses', 'version', sql<boolean>`coalesce(ends_at <= now(), false)`.as('isEnded')])
    .where('id', '=', id)
    .where('sellerId', '=', sellerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!own) throw MISSING
  return own
}

/** Throws a Failure 404 unless all products are the seller's. */
async function setProducts(tx: Tx, { id, sellerId }: Own, productIds: string[] | null) {
  await tx.deleteFrom('discountProducts').where('discountId', '=', id).execute()
  if (productIds === null) return
  const added = await statements.addProducts(tx, { discountId: id, productIds, sellerId })
  if (added.length !== new Set(productIds).size) throw new Failure(404, 'Product not found')
}

async function refuseTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw codeOf(error) === '23505' ? TAKEN : error
  }
}
