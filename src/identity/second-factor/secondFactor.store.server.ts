import { randomBytes } from 'node:crypto'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { createSeal } from '../../kit/seal.server.ts'
import { openRecoveryCodes } from './recoveryCodes.store.server.ts'
import { readCode, toBase32 } from './totp.rules.ts'
import { stepOf } from './totp.server.ts'

const KEY_BYTES = 20

export type SecondFactors = ReturnType<typeof createSecondFactors>

export function createSecondFactors(db: Db, secret: string, { now: clock = () => Date.now() } = {}) {
  const keys = createSeal(secret, 'second factor')
  const recoveryCodes = openRecoveryCodes(secret)

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

  /** Replaces an unconfirmed key. Null when two-factor authentication is on. */
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
      return recoveryCodes.replace(tx, userId)
    })

  type Row = NonNullable<Awaited<ReturnType<typeof lock>>>

  /** Accepts each code once, and none older than the last accepted. */
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
      return recoveryCodes.take(tx, userId, read.code)
    })

  const renew = (userId: string): Promise<string[] | null> =>
    inTransaction(db, async (tx) => ((await lock(tx, userId))?.confirmedAt ? recoveryCodes.replace(tx, userId) : null))

  const end = (userId: string, tell: (tx: Tx) => Promise<void>): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      if (!(await removeSecondFactor(tx, userId))) return false
      await tell(tx)
      return true
    })

  const recoveryCodesLeft = (userId: string) => recoveryCodes.count(db, userId)

  return { isOn, recoveryCodesLeft, begin, confirm, take, renew, end }
}

/** Recovery codes and trusted browsers are deleted by cascade. Returns whether it was on. */
export async function removeSecondFactor(db: Db | Tx, userId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('secondFactors')
    .where('userId', '=', userId)
    .returning('confirmedAt')
    .executeTakeFirst()
  return Boolean(row?.confirmedAt)
}
