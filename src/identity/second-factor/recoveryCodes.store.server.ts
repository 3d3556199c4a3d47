import { createHmac, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../kit/database.server.ts'
import { deriveKey } from '../../kit/seal.server.ts'
import { inGroups, toBase32 } from './totp.rules.ts'

const RECOVERY_CODES = 10
/** 60 bits, twelve letters. */
const RECOVERY_BYTES = 8

export function openRecoveryCodes(secret: string) {
  const key = deriveKey(secret, 'second factor')
  const hashOf = (userId: string, code: string) =>
    createHmac('sha256', key).update(`${userId} ${code}`).digest('base64url')

  async function count(db: Db, userId: string): Promise<number> {
    const row = await db
      .selectFrom('recoveryCodes')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  async function replace(tx: Tx, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => toBase32(randomBytes(RECOVERY_BYTES)).slice(0, 12))
    await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
    await tx
      .insertInto('recoveryCodes')
      .values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
      .execute()
    return codes.map((code) => inGroups(code))
  }

  /** Accepts each code once. */
  async function take(tx: Tx, userId: string, code: string): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('recoveryCodes')
      .where('userId', '=', userId)
      .where('codeHash', '=', hashOf(userId, code))
      .executeTakeFirst()
    return numDeletedRows === 1n
  }

  return { count, replace, take }
}
