import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import { digestOf } from './vault.server.ts'

const ENDING = 4
const today = sql<string>`current_date`

export type KnownToken = { id: string; productId: string; isUsedToday: boolean }

export const findToken = (db: Db, token: string): Promise<KnownToken | undefined> =>
  db
    .selectFrom('licenseTokens')
    .select(['id', 'productId', sql<boolean>`coalesce(used_on = current_date, false)`.as('isUsedToday')])
    .where('tokenHash', '=', digestOf(token))
    .executeTakeFirst()

/** Stores the day of the last call, with one statement a day. */
export async function noteUse(db: Db, { id, isUsedToday }: KnownToken) {
  if (!isUsedToday) await db.updateTable('licenseTokens').set({ usedOn: today }).where('id', '=', id).execute()
}

export const listTokens = (db: Db | Tx, productId: string) =>
  db
    .selectFrom('licenseTokens')
    .select(['id', 'ending', 'createdAt', 'usedOn'])
    .where('productId', '=', productId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export async function insertToken(tx: Tx, productId: string): Promise<string> {
  const token = `license_${randomBytes(32).toString('base64url')}`
  const row = { productId, tokenHash: digestOf(token), ending: token.slice(-ENDING) }
  await tx.insertInto('licenseTokens').values(row).execute()
  return token
}

export async function deleteToken(db: Db, productId: string, id: string): Promise<boolean> {
  const tokens = db.deleteFrom('licenseTokens').where('productId', '=', productId).where('id', '=', id)
  return (await tokens.executeTakeFirst()).numDeletedRows > 0n
}
