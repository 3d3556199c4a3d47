import { sql } from 'kysely'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { MOST_DECLINES, MOST_INSTRUMENTS } from './score.rules.ts'

const OWN_HOURS = 24

/** Throws a 409 Failure while the account or its network is blocked. The message says until when. */
export async function refuseBlocked(db: Db | Tx, userId: string, network: string | null) {
  const block = await db
    .selectFrom('riskBlocks')
    .select(({ fn }) => fn.max('expiresAt').as('until'))
    .where('liftedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where(({ or, and, eb }) =>
      or([
        and([eb('kind', '=', 'account'), eb('subject', '=', userId)]),
        ...(network ? [and([eb('kind', '=', 'network'), eb('subject', '=', network)])] : []),
      ]),
    )
    .executeTakeFirst()
  if (!block?.until) return
  const until = block.until.toISOString()
  const shown = `${until.slice(0, 10)} ${until.slice(11, 16)} UTC`
  throw new Failure(
    409,
    `Payments are paused here until ${shown}. Nothing was charged. Message us and a person will look at it.`,
    'payments_paused',
    { details: { until } },
  )
}

/**
 * Start of the period in which declined captures count: 7 days, cut off at the end of the last block. A buyer whose
 * block expired or was lifted starts with a clean count.
 */
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
  if (tries < MOST_DECLINES && instruments < MOST_INSTRUMENTS) return
  const reason =
    instruments >= MOST_INSTRUMENTS
      ? `${instruments} different instruments were declined within 7 days`
      : `${tries} captures were declined within 10 minutes`
  const isBlocked = await tx
    .selectFrom('riskBlocks')
    .select('id')
    .where('kind', '=', 'account')
    .where('subject', '=', userId)
    .where('liftedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (isBlocked) return
  await tx
    .insertInto('riskBlocks')
    .values({
      kind: 'account',
      subject: userId,
      reason,
      expiresAt: sql<Date>`now() + ${OWN_HOURS} * interval '1 hour'`,
    })
    .execute()
}
