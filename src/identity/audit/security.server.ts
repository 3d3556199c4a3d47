import { sql } from 'kysely'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { Caller } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { mailText } from '../mails.server.ts'
import { deviceOf } from '../sessions/device.rules.ts'
import { hashToken } from '../token.store.server.ts'
import { recordAct } from './audit.server.ts'

// Writes security events to the log and the audit log. Limits refusals, because an attacker can cause many of them.

const PER_SUBJECT: Limit = { per: 'account', count: 20, seconds: 3600 }
const IN_ALL: Limit = { per: 'account', count: 600, seconds: 3600 }
const ONCE: Limit = { per: 'account', count: 1, seconds: 3600 }
/** The shop mails the owner after this number of wrong proofs, at most once a day. */
const BEFORE_MAIL: Limit = { per: 'account', count: 10, seconds: 24 * 3600 }
const MAX_DEVICE_MAILS = 10
const MAX_DEVICES = 20

type Recorder = { db: Db; limiter: SharedLimiter; config: Pick<Config, 'storeName'> }
type Refusal = 'security.sign_in_failed' | 'security.access_refused'
type Details = Record<string, string>

/** Records a wrong password, code or passkey. `email` may have no account, which the response must not reveal. */
export async function noteFailedSignIn(
  { db, limiter, config }: Recorder,
  way: string,
  by: { email: string } | { id: string },
) {
  const [column, value] = 'email' in by ? (['email', by.email] as const) : (['id', by.id] as const)
  const user = await db.selectFrom('users').select(['id', 'email']).where(column, '=', value).executeTakeFirst()
  await noteRefusal({ db, limiter, config }, 'security.sign_in_failed', user?.id, { way })
  // counts attempts on unknown addresses too
  const wait = await limiter.take(`wrong sign-ins ${value}`, BEFORE_MAIL)
  if (!user || !wait) return
  const id = `${user.id}:${new Date().toISOString().slice(0, 10)}`
  await mailText(db, config, 'sign-in-failed', { id, to: user.email })
}

/** Records a refusal. The actor is unknown, unless a signed-in account called an endpoint that its role forbids. */
export async function noteRefusal(
  { db, limiter }: Recorder,
  act: Refusal,
  userId: string | undefined,
  details: Details,
) {
  if (await limiter.take(`${act} ${userId ?? 'unknown'}`, PER_SUBJECT)) return
  if (await limiter.take(`security events ${act}`, IN_ALL)) {
    if (!(await limiter.take(`spent ${act}`, ONCE))) log.warn('too many security events, not all are recorded', { act })
    return
  }
  log.warn(act, { user: userId, ...details })
  const actorId = act === 'security.access_refused' ? userId! : null
  await inTransaction(db, (tx) => recordAct(tx, { actorId, act, subjectId: userId, details }))
}

/**
 * Stores the browser of this token as a known device. Mails the owner about a new device, unless it is the first device
 * of an account created within a day. Uses only the connection of the transaction.
 */
export async function noteDevice(
  tx: Tx,
  { config }: Pick<Recorder, 'config'>,
  userId: string,
  token: string,
  from: Pick<Caller, 'header'>,
) {
  const tokenHash = hashToken(token)
  const devices = tx.selectFrom('knownDevices').select('tokenHash').where('userId', '=', userId)
  const isRecent = sql<boolean>`seen_at > now() - interval '1 day'`
  const others = await devices.select(isRecent.as('isRecent')).where('tokenHash', '<>', tokenHash).execute()
  const isOld = sql<boolean>`created_at < now() - interval '1 day'`.as('isOld')
  const users = tx.selectFrom('users').select(['email', isOld]).where('id', '=', userId)
  const { email, isOld: mayHaveOthers } = await users.executeTakeFirstOrThrow()
  const { isNew } = await tx
    .insertInto('knownDevices')
    .values({ userId, tokenHash })
    .onConflict((conflict) => conflict.columns(['userId', 'tokenHash']).doUpdateSet({ seenAt: now }))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow()
  if (!isNew || (others.length === 0 && !mayHaveOthers)) return
  const old = devices.orderBy('seenAt', 'desc').offset(MAX_DEVICES)
  await tx.deleteFrom('knownDevices').where('userId', '=', userId).where('tokenHash', 'in', old).execute()
  const device = deviceOf(from.header('user-agent') ?? null)
  log.info('security.new_device', { user: userId, device })
  await recordAct(tx, { actorId: userId, act: 'security.new_device', subjectId: userId, details: { device } })
  if (others.filter(({ isRecent }) => isRecent).length > MAX_DEVICE_MAILS) return
  await mailText(tx, config, 'new-device', { id: `${userId}:${tokenHash}`, to: email, values: { device } })
}

export async function isKnownDevice(db: Db, email: string, tokenHash: string): Promise<boolean> {
  const device = await db
    .selectFrom('knownDevices')
    .innerJoin('users', 'users.id', 'knownDevices.userId')
    .select('users.id')
    .where('users.email', '=', email)
    .where('knownDevices.tokenHash', '=', tokenHash)
    .executeTakeFirst()
  return device !== undefined
}

type Factor = 'factor_on' | 'factor_off' | 'passkey_added' | 'passkey_removed' | 'password'

/** Records a changed second factor or passkey. The caller mails the owner. */
export async function noteFactor(tx: Tx, userId: string, change: Factor) {
  log.info(`security.${change}`, { user: userId })
  await recordAct(tx, { actorId: userId, act: `security.${change}`, subjectId: userId })
}
