import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { tidyEmail } from '../accounts/email.rules.ts'
import { type AuditEntry, listAudit, MAX_ENTRIES } from './audit.contract.ts'
import type { Act } from './audit.rules.ts'
import { lastOf } from '../../kit/values/required.ts'

type Entry = {
  actorId: string | null
  act: Act
  subjectId?: string | undefined
  /** Must not contain names, addresses or secrets, because audit rows are never erased. */
  details?: Record<string, string>
}

/** Staff may not refund or release their own purchases. */
export const OWN_PURCHASE = new Failure(
  403,
  'This is your own purchase. Another member of staff decides.',
  'own_purchase',
)

/** Call this in the transaction of the act, so that every act has an entry and every entry an act. */
export async function recordAct(tx: Tx, { actorId, act, subjectId, details = {} }: Entry) {
  await tx
    .insertInto('audit')
    .values({ actorId, act, subjectId: subjectId ?? null, details: JSON.stringify(details) })
    .execute()
}

export const auditRoutes: Route[] = [
  handle(listAudit, async ({ kind, q, after, limit = MAX_ENTRIES }, { db }) => {
    const entries = await readAudit(db, { kind, q, after, limit: limit + 1 })
    const page = entries.slice(0, limit)
    const asked = new URLSearchParams({ ...(kind && { kind }), ...(q && { q }), limit: String(limit) })
    const next = entries.length > limit && `</api/admin/audit?${asked}&after=${lastOf(page).id}>; rel="next"`
    return asJson(JSON.stringify(page), next ? { link: next } : {})
  }),
]

type AuditQuery = { kind?: string | undefined; q?: string | undefined; after?: number | undefined; limit: number }

async function readAudit(db: Db, { kind, q, after, limit }: AuditQuery): Promise<AuditEntry[]> {
  const named = q
    ? await db.selectFrom('users').select('id').where('email', '=', tidyEmail(q)).executeTakeFirst()
    : null
  const rows = await db
    .selectFrom('audit')
    .leftJoin('users as actor', 'actor.id', 'audit.actorId')
    .leftJoin('users as subject', (join) => join.on(sql`subject.id::text`, '=', sql`audit.subject_id`))
    .select(['audit.id', 'audit.createdAt', 'audit.act', 'audit.subjectId', 'audit.details', 'audit.actorId'])
    .select(['actor.email as actorEmail', 'subject.email as subjectEmail'])
    .$call((query) => (kind !== undefined ? query.where(sql`split_part(audit.act, '.', 1)`, '=', kind) : query))
    .$call((query) => (after !== undefined ? query.where('audit.id', '<', after) : query))
    .$if(Boolean(q), (query) =>
      query.where((row) =>
        row.or([row('audit.subjectId', '=', named?.id ?? q!), ...(named ? [row('audit.actorId', '=', named.id)] : [])]),
      ),
    )
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.createdAt.toISOString(),
    actor: row.actorId === null ? null : (row.actorEmail ?? row.actorId),
    act: row.act,
    subject: row.subjectId === null ? null : { id: row.subjectId, name: row.subjectEmail },
    details: row.details as Record<string, string>,
  }))
}
