import { sql } from 'kysely'
import { recordAct } from '../identity/audit/audit.server.ts'
import { compiled, type Db, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { MAX_DECLINES, MAX_INSTRUMENTS } from './score.rules.ts'

const OWN_HOURS = 24

/** Throws a 409 Failure while the account or its network is blocked. The message says until when. */
export async function refuseBlocked(db: Db | Tx, userId: string, network: string | null) {
  const end = await endOfBlock(db, userId, network)
  if (!end) return
  const until = end.toISOString()
  const shown = `${until.slice(0, 10)} ${until.slice(11, 16)} UTC`
  throw new Failure(
    409,
    `Payments are paused here until ${shown}. Nothing was charged. Message us and a person will look at it.`,
    'payments_paused',
    { details: { until } },
  )
}

/** True while the account's payments are paused. */
export const isPaused = async (db: Db | Tx, userId: string) => (await endOfBlock(db, userId, null)) !== null

/** The end of the longest block in force of an account or its network. */
const endOfBlock = async (db: Db | Tx, userId: string, network: string | null): Promise<Date | null> =>
  (await readEnd(db, userId, network))[0]!.until

const readEnd = compiled((db, userId: string, network: string | null) =>
  db
    .selectFrom('riskBlocks')
    .select(({ fn }) => fn.max<Date | null>('expiresAt').as('until'))
    .where('liftedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where(sql<boolean>`(kind, subject) IN (('account', ${userId}), ('network', ${network}))`),
)

type Block = { kind: 'account' | 'network'; subject: string; reason: string; madeBy?: string; hours: number }

export async function pausePayments(tx: Tx, { hours, ...block }: Block) {
  const expiresAt = sql<Date>`now() + ${hours} * interval '1 hour'`
  await tx
    .insertInto('riskBlocks')
    .values({ ...block, expiresAt })
    .execute()
  const details = { kind: block.kind, hours: String(hours) }
  if (block.madeBy)
    await recordAct(tx, { actorId: block.madeBy, act: 'risk.blocked', subjectId: block.subject, details })
}

/** Start of the period in which declines count: 7 days, cut off at the end of the last block. */
export const declinesSince = (userId: string) => sql<Date>`greatest(now() - interval '7 days', (
  SELECT max(coalesce(lifted_at, expires_at)) FROM risk_blocks
  WHERE kind = 'account' AND subject = ${userId}
    AND (lifted_at IS NOT NULL OR (made_by IS NULL AND expires_at <= now()))))`

type Decline = { paymentId: string; userId: string; instrument: string | null }

/** Records a declined capture. Too many declines, or too many instruments, block the account's payments for a day. */
export async function noteDecline(tx: Tx, { paymentId, userId, instrument }: Decline) {
  await tx.insertInto('riskDeclines').values({ paymentId, userId, instrument }).execute()
  const { tries, instruments } = await tx
    .selectFrom('riskDeclines')
    .select([
      sql<number>`(count(*) FILTER (WHERE created_at > now() - interval '10 minutes'))::int`.as('tries'),
      sql<number>`count(DISTINCT instrument)::int`.as('instruments'),
    ])
    .where('userId', '=', userId)
    .where('createdAt', '>', declinesSince(userId))
    .executeTakeFirstOrThrow()
  if (tries < MAX_DECLINES && instruments < MAX_INSTRUMENTS) return
  const reason =
    instruments >= MAX_INSTRUMENTS
      ? `${instruments} different instruments were declined within 7 days`
      : `${tries} captures were declined within 10 minutes`
  if (await endOfBlock(tx, userId, null)) return
  await pausePayments(tx, { kind: 'account', subject: userId, reason, hours: OWN_HOURS })
}
