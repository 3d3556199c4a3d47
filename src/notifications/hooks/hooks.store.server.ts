import { sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { addJob } from '../../kit/jobs.server.ts'
import type { Posted } from '../../kit/outside/postOutside.server.ts'
import { deleteOld } from '../../kit/schema/retention.server.ts'
import { type Hook, type HookEvent, type HookMessage, MANY_MESSAGES } from './hooks.contract.ts'

const COLUMNS = [
  'id',
  'url',
  'events',
  'isForShop',
  'createdAt',
  'lastSuccessAt',
  'failingSince',
  'disabledAt',
] as const

type Row = Pick<Awaited<ReturnType<typeof readHooks>>[number], (typeof COLUMNS)[number]>

export const readHooks = (db: Db | Tx, userId: string, id?: string) =>
  db
    .selectFrom('hookEndpoints')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .$call((query) => (id !== undefined ? query.where('id', '=', id) : query))
    .orderBy('createdAt')
    .execute()

export const hookOf = ({ disabledAt, createdAt, lastSuccessAt, failingSince, ...row }: Row): Hook => ({
  ...row,
  state: disabledAt ? 'disabled' : failingSince ? 'failing' : 'active',
  createdAt: createdAt.toISOString(),
  lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
  failingSince: failingSince?.toISOString() ?? null,
})

type Words = { url: string; events: HookEvent[] }

export const insertHook = (tx: Tx, row: Words & { id: string; userId: string; isForShop: boolean; secret: Buffer }) =>
  tx.insertInto('hookEndpoints').values(row).execute()

export async function updateHook(
  tx: Tx,
  userId: string,
  id: string,
  { url, events, isEnabled }: Words & { isEnabled: boolean },
) {
  const { numUpdatedRows } = await tx
    .updateTable('hookEndpoints')
    .set({
      ...{ url, events },
      disabledAt: isEnabled ? null : sql<Date>`coalesce(disabled_at, now())`,
      failingSince: sql<Date | null>`CASE WHEN disabled_at IS NULL AND url = ${url} THEN failing_since END`,
      failures: sql<number>`CASE WHEN disabled_at IS NULL AND url = ${url} THEN failures ELSE 0 END`,
      pausedUntil: sql<Date | null>`CASE WHEN disabled_at IS NULL AND url = ${url} THEN paused_until END`,
    })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function replaceSecret(tx: Tx, userId: string, id: string, secret: Buffer) {
  const { numUpdatedRows } = await tx
    .updateTable('hookEndpoints')
    .set((row) => ({ secret, formerSecret: row.ref('secret'), formerUntil: sql<Date>`now() + interval '24 hours'` }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteHook(db: Db, userId: string, id: string) {
  const hooks = db.deleteFrom('hookEndpoints').where('id', '=', id).where('userId', '=', userId)
  return (await hooks.executeTakeFirst()).numDeletedRows > 0n
}

export async function readMessages(db: Db, userId: string): Promise<HookMessage[]> {
  const rows = await db
    .selectFrom('hookMessages as m')
    .innerJoin('hookEndpoints as e', 'e.id', 'm.endpointId')
    .select(['m.id', 'm.endpointId as hookId', 'm.type', 'm.state', 'm.createdAt', 'm.nextAt', 'm.body'])
    .where('e.userId', '=', userId)
    .orderBy('m.createdAt', 'desc')
    .orderBy('m.id', 'desc')
    .limit(MANY_MESSAGES)
    .execute()
  if (rows.length === 0) return []
  const attempts = await db
    .selectFrom('hookAttempts')
    .select(['messageId', 'at', 'status', 'milliseconds', 'answer'])
    .where(
      'messageId',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    nextAt: row.nextAt?.toISOString() ?? null,
    attempts: attempts
      .filter(({ messageId }) => messageId === row.id)
      .map(({ messageId: _, at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  }))
}

/** Returns a message to send with its address. Undefined if the message is done or the address is disabled. */
export const findDue = (db: Db, id: string) =>
  db
    .selectFrom('hookMessages as m')
    .innerJoin('hookEndpoints as e', 'e.id', 'm.endpointId')
    .select(['m.id', 'm.type', 'm.body', 'm.attempts', 'e.id as hookId', 'e.url', 'e.secret', 'e.userId', 'e.failures'])
    .select(sql<number>`coalesce(ceil(extract(epoch FROM e.paused_until - now())), 0)::int`.as('pausedSeconds'))
    .select(sql<Buffer | null>`CASE WHEN e.former_until > now() THEN e.former_secret END`.as('formerSecret'))
    .where('m.id', '=', id)
    .where('m.state', '=', 'waiting')
    .where('e.disabledAt', 'is', null)
    .executeTakeFirst()

/** Marks a due message of a disabled address as failed. Its job has ended, so nothing else would send it later. */
export async function failOfDisabled(db: Db, id: string) {
  await db
    .updateTable('hookMessages')
    .set({ state: 'failed', nextAt: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('endpointId', 'in', (query) =>
      query.selectFrom('hookEndpoints').select('id').where('disabledAt', 'is not', null),
    )
    .execute()
}

/** Returns the queue of an owner's messages. They run in sequence, so that an owner uses at most one worker. */
const queueOf = (userId: string) => `hooks:${userId}`

type Sending = { id: string; userId: string; delaySeconds?: number; isNow?: boolean }

export const queueMessage = (tx: Tx | Db, { id, userId, delaySeconds = 0, isNow = false }: Sending) =>
  addJob(
    tx,
    'send_hook',
    { id, ...(isNow && { isNow: 'yes' }) },
    { key: `hook:${id}`, queue: queueOf(userId), delaySeconds },
  )

export async function postpone(tx: Tx, { id, userId, seconds }: { id: string; userId: string; seconds: number }) {
  await tx
    .updateTable('hookMessages')
    .set({ nextAt: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .where('id', '=', id)
    .execute()
  await queueMessage(tx, { id, userId, delaySeconds: seconds })
}

const MANY_POSTPONED = 1000

export async function endPause(tx: Tx, { hookId, userId }: { hookId: string; userId: string }) {
  const held = await tx
    .selectFrom('hookMessages')
    .select('id')
    .where('endpointId', '=', hookId)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where('nextAt', 'is not', null)
    .orderBy('createdAt')
    .limit(MANY_POSTPONED)
    .execute()
  for (const { id } of held) await queueMessage(tx, { id, userId })
}

export async function hasWaitingTest(tx: Tx, hookId: string): Promise<boolean> {
  await tx.selectFrom('hookEndpoints').select('id').where('id', '=', hookId).forNoKeyUpdate().execute()
  const waiting = await tx
    .selectFrom('hookMessages')
    .select('id')
    .where('endpointId', '=', hookId)
    .where('type', '=', 'test')
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .limit(1)
    .execute()
  return waiting.length > 0
}

type Attempt = {
  id: string
  hookId: string
  posted: Posted
  nextSeconds: number | null
  pauseSeconds: number
  isDelivered: boolean
}

export async function noteAttempt(tx: Tx, { id, hookId, posted, nextSeconds, pauseSeconds, isDelivered }: Attempt) {
  await tx
    .insertInto('hookAttempts')
    .values({ messageId: id, ...posted })
    .execute()
  await tx
    .updateTable('hookMessages')
    .set((row) => ({
      attempts: row('attempts', '+', 1),
      state: isDelivered ? 'delivered' : nextSeconds === null ? 'failed' : 'waiting',
      nextAt: nextSeconds === null ? null : sql<Date>`now() + ${nextSeconds} * interval '1 second'`,
    }))
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('hookEndpoints')
    .set(
      isDelivered
        ? { lastSuccessAt: now, failingSince: null, failures: 0, pausedUntil: null }
        : {
            failingSince: sql<Date>`coalesce(failing_since, now())`,
            failures: sql<number>`failures + 1`,
            pausedUntil: pauseSeconds === 0 ? null : sql<Date>`now() + ${pauseSeconds} * interval '1 second'`,
          },
    )
    .where('id', '=', hookId)
    .execute()
}

/** Disables an address that has failed for three days, or any with `atOnce`. Returns its row if it was enabled. */
export const disableHook = (tx: Tx, id: string, atOnce: boolean) =>
  tx
    .updateTable('hookEndpoints')
    .set({ disabledAt: now })
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .$if(!atOnce, (query) => query.where('failingSince', '<', sql<Date>`now() - interval '3 days'`))
    .returning(['userId', 'url'])
    .executeTakeFirst()

/** Starts a new series of attempts. Returns false for a message of another member or a disabled address. */
export async function startAgain(tx: Tx, userId: string, id: string) {
  const { numUpdatedRows } = await tx
    .updateTable('hookMessages')
    .set({ state: 'waiting', attempts: 0, nextAt: now })
    .where('id', '=', id)
    .where('endpointId', 'in', (query) =>
      query.selectFrom('hookEndpoints').select('id').where('userId', '=', userId).where('disabledAt', 'is', null),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const sweepMessages = (db: Db, days: number) =>
  deleteOld(db, { table: 'hookMessages', moment: 'createdAt', days })
