import { type Insertable, sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import type { Tables } from '../../kit/tables.ts'
import { only } from '../../kit/values/required.ts'
import { LEASE_SECONDS, whileProlonged } from '../lease.server.ts'
import { UPLOADS_AT_ONCE } from '../uploader.rules.ts'
import * as statements from './budget.statements.server.ts'

// Upload limits of an account, counted in the database and so across all nodes.

const MB = 1024 * 1024

export type Quota = { maxBytesPerDay: number }

/** Serializes checks and counts of an account's uploads across all nodes. */
export const lockUploads = (tx: Tx, userId: string) => statements.lockUploads(tx, { userId })

/** Throws a Failure 429 over the daily bytes of the account. Unfinished uploads count with their announced size. */
export async function checkDailyQuota(
  db: Db | Tx,
  { maxBytesPerDay }: Quota,
  userId: string,
  { bytesToCome = 0, id = null }: { bytesToCome?: number; id?: string | null } = {},
) {
  const { total } = only(await statements.countBytesOfDay(db, { userId, id }))
  if (total + bytesToCome <= maxBytesPerDay) return
  const day =
    maxBytesPerDay < 1024 * MB ? `${maxBytesPerDay / MB} MB` : `${+(maxBytesPerDay / MB / 1024).toFixed(1)} GB`
  throw new Failure(429, `You can upload ${day} within a day. Please try again tomorrow.`, 'too_many', {
    retryAfter: 3600,
  })
}

type NewUpload = Omit<Insertable<Tables['objects']>, 'expiresAt'> & {
  announcedBytes: number | null
  lifeSeconds: number
}

/** Inserts a row for an expected upload. `expires` is in seconds since 1970. Throws a Failure 429 over the quota. */
export async function addUpload(tx: Tx, quota: Quota, { lifeSeconds, ...row }: NewUpload) {
  await lockUploads(tx, row.userId)
  await checkDailyQuota(tx, quota, row.userId, { bytesToCome: row.announcedBytes ?? 0 })
  return tx
    .insertInto('objects')
    .values({ ...row, expiresAt: sql<Date>`now() + ${lifeSeconds} * interval '1 second'` })
    .returning(['id', sql<string>`floor(extract(epoch FROM expires_at))::bigint::text`.as('expires')])
    .executeTakeFirstOrThrow()
}

/** Adds the announced bytes of an upload to the daily quota. Throws a Failure 429 above it. */
export const announceBytes = (
  db: Db,
  quota: Quota,
  { id, userId, bytes }: { id: string; userId: string; bytes: number },
) =>
  db.transaction().execute(async (tx) => {
    await lockUploads(tx, userId)
    await checkDailyQuota(tx, quota, userId, { bytesToCome: bytes, id })
    await tx
      .updateTable('objects')
      .set({ announcedBytes: bytes })
      .where('id', '=', id)
      .where('status', '=', 'issued')
      .execute()
  })

/** Limits each account to three concurrent uploads (429). */
export async function whileCounted<T>(db: Db, userId: string, work: () => Promise<T>): Promise<T> {
  const id = await takeTurn(db, userId)
  const prolong = () => statements.prolongTurn(db, { id, leaseSeconds: LEASE_SECONDS })
  try {
    return await whileProlonged(prolong, work)
  } finally {
    await db
      .deleteFrom('uploadTurns')
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => log.warn('the turn of an upload was not ended', { error }))
  }
}

const takeTurn = (db: Db, userId: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    await lockUploads(tx, userId)
    await tx.deleteFrom('uploadTurns').where('userId', '=', userId).where('until', '<', now).execute()
    const [turn] = await statements.takeTurn(tx, { userId, leaseSeconds: LEASE_SECONDS, most: UPLOADS_AT_ONCE })
    if (turn) return turn.id
    throw new Failure(429, 'At most three uploads at once. Please wait for one to finish.', 'too_many', {
      retryAfter: 5,
    })
  })
