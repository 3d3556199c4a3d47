import { createHmac, randomBytes } from 'node:crypto'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { createSeal, deriveKey } from '../../kit/seal.server.ts'
import { expiryIn, hashToken, newToken } from '../token.store.server.ts'
import { inGroups, readCode, toBase32 } from './totp.rules.ts'
import { stepOf } from './totp.server.ts'

const KEY_BYTES = 20
const RECOVERY_CODES = 10
/** Random bytes of a recovery code, of which twelve letters (60 bits) are used. */
const RECOVERY_BYTES = 8
export const TRUSTED_SECONDS = 30 * 24 * 3600

export type SecondFactors = ReturnType<typeof createSecondFactors>

export function createSecondFactors(db: Db, secret: string, { now: clock = () => Date.now() } = {}) {
  const keys = createSeal(secret, 'second factor')
  const recoveryKey = deriveKey(secret, 'second factor')
  const recoveryHash = (userId: string, code: string) =>
    createHmac('sha256', recoveryKey).update(`${userId} ${code}`).digest('base64url')

  const seal = (key: Buffer, userId: string): string => keys.seal(key, userId).toString('base64')

  function unseal(sealed: string, userId: string): Buffer | null {
    const key = keys.open(Buffer.from(sealed, 'base64'), userId)
    if (!key) log.error('the key of a second factor does not open: SECRET changed', { user: userId })
    return key
  }

  const lock = (tx: Tx, userId: string) =>
    tx.selectFrom('secondFactors').selectAll().where('userId', '=', userId).forUpdate().executeTakeFirst()

  async function isOn(userId: string): Promise<boolean> {
    const row = await db
      .selectFrom('secondFactors')
      .select('userId')
      .where('userId', '=', userId)
      .where('confirmedAt', 'is not', null)
      .executeTakeFirst()
    return row !== undefined
  }

  async function recoveryCodesLeft(userId: string): Promise<number> {
    const { count } = await db
      .selectFrom('recoveryCodes')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Replaces an unconfirmed key. Returns null if two-factor authentication is on. */
  async function begin(userId: string): Promise<string | null> {
    const key = randomBytes(KEY_BYTES)
    const values = { sealedSecret: seal(key, userId), lastStep: 0 }
    const row = await db
      .insertInto('secondFactors')
      .values({ userId, ...values })
      .onConflict((conflict) =>
        conflict.column('userId').doUpdateSet(values).where('secondFactors.confirmedAt', 'is', null),
      )
      .returning('userId')
      .executeTakeFirst()
    return row ? toBase32(key) : null
  }

  const confirm = (userId: string, typed: string, tell: (tx: Tx) => Promise<void>): Promise<string[] | null> =>
    inTransaction(db, async (tx) => {
      const row = await lock(tx, userId)
      if (!row || row.confirmedAt) return null
      if (!(await takeAppCode(tx, row, readCode(typed)?.code ?? ''))) return null
      await tx.updateTable('secondFactors').set({ confirmedAt: now }).where('userId', '=', userId).execute()
      await tell(tx)
      return newRecoveryCodes(tx, userId)
    })

  type Row = NonNullable<Awaited<ReturnType<typeof lock>>>

  /** Accepts each code once, and no code older than the last accepted code. */
  async function takeAppCode(tx: Tx, { userId, sealedSecret, lastStep }: Row, code: string): Promise<boolean> {
    const key = unseal(sealedSecret, userId)
    const step = key && stepOf(key, code, clock())
    if (step === null || step <= lastStep) return false
    await tx.updateTable('secondFactors').set({ lastStep: step }).where('userId', '=', userId).execute()
    return true
  }

  const take = (userId: string, typed: string): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const read = readCode(typed)
      const row = await lock(tx, userId)
      if (!read || !row?.confirmedAt) return false
      if (read.kind === 'app') return takeAppCode(tx, row, read.code)
      const { numDeletedRows } = await tx
        .deleteFrom('recoveryCodes')
        .where('userId', '=', userId)
        .where('codeHash', '=', recoveryHash(userId, read.code))
        .executeTakeFirst()
      return numDeletedRows === 1n
    })

  async function newRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => toBase32(randomBytes(RECOVERY_BYTES)).slice(0, 12))
    await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
    await tx
      .insertInto('recoveryCodes')
      .values(codes.map((code) => ({ userId, codeHash: recoveryHash(userId, code) })))
      .execute()
    return codes.map((code) => inGroups(code))
  }

  const renew = (userId: string): Promise<string[] | null> =>
    inTransaction(db, async (tx) => ((await lock(tx, userId))?.confirmedAt ? newRecoveryCodes(tx, userId) : null))

  const end = (userId: string, tell: (tx: Tx) => Promise<void>): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      if (!(await removeSecondFactor(tx, userId))) return false
      await tell(tx)
      return true
    })

  async function trust(tx: Tx, userId: string): Promise<string> {
    const token = newToken()
    const expiresAt = expiryIn(TRUSTED_SECONDS)
    await tx
      .insertInto('trustedBrowsers')
      .values({ tokenHash: hashToken(token), userId, expiresAt })
      .execute()
    return token
  }

  async function isTrusted(userId: string, cookie: string): Promise<boolean> {
    if (cookie === '') return false
    const row = await db
      .selectFrom('trustedBrowsers')
      .select('userId')
      .where('tokenHash', '=', hashToken(cookie))
      .where('userId', '=', userId)
      .where('expiresAt', '>', now)
      .executeTakeFirst()
    return row !== undefined
  }

  return { isOn, recoveryCodesLeft, begin, confirm, take, renew, end, trust, isTrusted }
}

/** Deletes the account's trusted browsers, except the browser with this cookie. */
export async function distrustBrowsersOf(db: Db | Tx, userId: string, butOf = '') {
  await db
    .deleteFrom('trustedBrowsers')
    .where('userId', '=', userId)
    .where('tokenHash', '<>', hashToken(butOf))
    .execute()
}

/** Also deletes recovery codes and trusted browsers (cascade). Returns whether two-factor authentication was on. */
export async function removeSecondFactor(db: Db | Tx, userId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('secondFactors')
    .where('userId', '=', userId)
    .returning('confirmedAt')
    .executeTakeFirst()
  return Boolean(row?.confirmedAt)
}
