import { sql } from 'kysely'
import { recordAct } from '../identity/audit/audit.server.ts'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './riskBlocks.statements.server.ts'
import { MAX_DECLINES, MAX_INSTRUMENTS } from './score.rules.ts'

const OWN_HOURS = 24

/** Throws a 409 Failure while the account or its network is blocked. The message contains the end of the block. */
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

export const isPaused = async (db: Db | Tx, userId: string) => (await endOfBlock(db, userId, null)) !== null

/** Returns the end of the longest active block of an account or its network. */
const endOfBlock = async (db: Db | Tx, userId: string, network: string | null): Promise<Date | null> =>
  only(await statements.readBlockEnd(db, { userId, network })).until

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

type Decline = { paymentId: string; userId: string; instrument: string | null }

/** Records a declined capture. Too many declines, or too many instruments, block the account's payments for a day. */
export async function noteDecline(tx: Tx, { paymentId, userId, instrument }: Decline) {
  await tx.insertInto('riskDeclines').values({ paymentId, userId, instrument }).execute()
  const { tries, instruments } = only(await statements.countDeclines(tx, { userId }))
  if (tries < MAX_DECLINES && instruments < MAX_INSTRUMENTS) return
  const reason =
    instruments >= MAX_INSTRUMENTS
      ? `${instruments} different instruments were declined within 7 days`
      : `${tries} captures were declined within 10 minutes`
  if (await endOfBlock(tx, userId, null)) return
  await pausePayments(tx, { kind: 'account', subject: userId, reason, hours: OWN_HOURS })
}
