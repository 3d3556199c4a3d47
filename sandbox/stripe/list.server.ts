import type pg from 'pg'
import { z } from 'zod'
import { Range, readForm, whole } from './form.server.ts'
import type { Kind } from './wire.server.ts'

type ListForm = {
  limit: number
  starting_after?: string | undefined
  created?: z.output<typeof Range>
  equal: Record<string, string>
}

export function listForm(form: unknown, fields: string[] = []): ListForm {
  const Form = z.strictObject({
    limit: whole(1, 100).default(10),
    starting_after: z.string().max(64).optional(),
    created: Range,
    ...Object.fromEntries(fields.map((field) => [field, z.string().max(100).optional()])),
  })
  const { limit, starting_after, created, ...rest } = readForm(Form, form)
  return { limit, starting_after, created, equal: rest as Record<string, string> }
}

export async function readList(pool: pg.Pool, rows: string, url: string, form: ListForm, values: unknown[] = []) {
  const n = values.length
  const { created = {}, equal, limit, starting_after: after = null } = form
  const wanted = Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined))
  const { rows: found } = await pool.query<{ body: object }>(
    `WITH list AS (${rows})
     SELECT body FROM list
     WHERE created >= $${n + 1} AND created > $${n + 2} AND created < $${n + 3} AND created <= $${n + 4}
       AND body::jsonb @> $${n + 5}::jsonb
       AND ($${n + 6}::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM list WHERE id = $${n + 6}))
     ORDER BY created_at DESC, id DESC LIMIT $${n + 7}`,
    [
      ...values,
      ...[created.gte ?? 0, created.gt ?? -1, created.lt ?? 1e12, created.lte ?? 1e12],
      ...[JSON.stringify(wanted), after, limit + 1],
    ],
  )
  return { object: 'list', url, has_more: found.length > limit, data: found.slice(0, limit).map(({ body }) => body) }
}

export const listOf = (pool: pg.Pool, kind: Kind, url: string, form: ListForm) =>
  readList(
    pool,
    `SELECT id, body, created_at, (body->>'created')::bigint AS created FROM sandbox.records WHERE kind = $1`,
    url,
    form,
    [kind],
  )
