import { sql } from 'kysely'
import type { Db } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { CHECKING } from './parts/parts.contract.ts'

const PROLONG_MS = 10_000

export const LEASE_SECONDS = 30
const leaseEnd = sql<Date>`now() + ${LEASE_SECONDS} * interval '1 second'`

/** Runs `work` and extends its lease meanwhile. Only the lease of a killed node expires. */
export async function whileProlonged<T>(prolong: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const clock = setInterval(
    () => void prolong().catch((error: unknown) => log.warn('a lease was not prolonged', { error })),
    PROLONG_MS,
  )
  try {
    return await work()
  } finally {
    clearInterval(clock)
  }
}

/** Lets one call across all nodes check the bytes of an upload. Throws a Failure 503 `checking` for other calls. */
export async function whileChecking<T>(db: Db, id: string, work: () => Promise<T>): Promise<T> {
  const upload = db.updateTable('objects').where('id', '=', id)
  const until = sql<string>`extract(epoch FROM checking_until)::text`
  let held = await upload
    .set({ checkingUntil: leaseEnd })
    .where('status', '=', 'issued')
    .where(sql<boolean>`coalesce(checking_until < now(), true)`)
    .returning(until.as('until'))
    .executeTakeFirst()
  if (!held) throw beingChecked()
  const ours = () => upload.where(until, '=', held?.until ?? '')
  const prolong = async () =>
    (held = await ours().set({ checkingUntil: leaseEnd }).returning(until.as('until')).executeTakeFirst())
  try {
    return await whileProlonged(prolong, work)
  } finally {
    await ours()
      .set({ checkingUntil: null })
      .execute()
      .catch((error: unknown) => log.warn('a lease was not released', { error }))
  }
}

/** After this time the server returns 503 `checking`, and the browser retries. */
const ANSWER_WITHIN_MS = 20_000

/** Returns the result, or throws a Failure 503 `checking` after seconds while the work continues. */
export async function answerSoon<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(beingChecked()), ANSWER_WITHIN_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export const beingChecked = () =>
  new Failure(503, 'The file is being checked. This takes a moment.', CHECKING, { retryAfter: 1 })
