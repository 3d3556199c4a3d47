import { sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
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
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
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

/** Returns whether the caller has the address. */
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
      // a new start counts no old failures
      failingSince: sql<Date | null>`CASE WHEN disabled_at IS NULL AND url = ${url} THEN failing_since END`,
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

/** A message that is to be sent, with its address; undefined when it is done or the address is disabled. */
export const findDue = (db: Db, id: string) =>
  db
    .selectFrom('hookMessages as m')
    .innerJoin('hookEndpoints as e', 'e.id', 'm.endpointId')
    .select(['m.id', 'm.body', 'm.attempts', 'e.id as hookId', 'e.url', 'e.secret', 'e.userId'])
    .select(sql<Buffer | null>`CASE WHEN e.former_until > now() THEN e.former_secret END`.as('formerSecret'))
    .where('m.id', '=', id)
    .where('m.state', '=', 'waiting')
    .where('e.disabledAt', 'is', null)
    .executeTakeFirst()

export async function noteAttempt(
  tx: Tx,
  id: string,
  hookId: string,
  posted: Posted,
  nextSeconds: number | null,
  isDelivered: boolean,
) {
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
        ? { lastSuccessAt: now, failingSince: null }
        : { failingSince: sql<Date>`coalesce(failing_since, now())` },
    )
    .where('id', '=', hookId)
    .execute()
}

/** Disables an address that has failed for three days, or at once. Returns its row if it was enabled. */
export const disableHook = (tx: Tx, id: string, atOnce: boolean) =>
  tx
    .updateTable('hookEndpoints')
    .set({ disabledAt: now })
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .$if(!atOnce, (query) => query.where('failingSince', '<', sql<Date>`now() - interval '3 days'`))
    .returning(['userId', 'url'])
    .executeTakeFirst()

/** Begins another series of attempts. Returns false for another's message and a disabled address. */
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
