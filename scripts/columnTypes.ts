import type pg from 'pg'

export const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  tsvector: 'string',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  real: 'number',
  boolean: 'boolean',
  jsonb: 'unknown',
  bytea: 'Buffer',
  'timestamp with time zone': 'Timestamp',
  date: 'string',
  // The schema has only text arrays.
  ARRAY: 'string[]',
  json: 'unknown',
  smallint: 'number',
  numeric: 'string',
}

/** Maps a PostgreSQL type to its TypeScript type: 'uuid[]' to 'string[]', timestamps to Date. */
export function plainTypeOf(type: string): string {
  if (type.endsWith('[]')) return `${plainTypeOf(type.slice(0, -2))}[]`
  const plain = TYPES[type]
  if (!plain) throw new Error(`no type for ${type}`)
  return plain === 'Timestamp' ? 'Date' : plain
}

/** The types of all table columns, by `oid.number`. Columns of views are missing. */
export async function columnTypes(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ key: string; type: string; is_null: boolean; choices: string[] | null }>(`
    SELECT a.attrelid || '.' || a.attnum AS key, format_type(a.atttypid, NULL) AS type, NOT a.attnotnull AS is_null,
      (SELECT array_agg(m[1]) FROM pg_constraint k, regexp_matches(pg_get_constraintdef(k.oid), '''([a-z_-]+)''::text', 'g') m
        WHERE k.conrelid = a.attrelid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
          AND pg_get_constraintdef(k.oid) LIKE '%= ANY (ARRAY[%') AS choices
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`)
  return new Map(
    rows.map(({ key, type, is_null, choices }) => {
      const plain = choices ? choices.map((choice) => `'${choice}'`).join(' | ') : plainTypeOf(type)
      return [key, is_null ? `${plain} | null` : plain]
    }),
  )
}
