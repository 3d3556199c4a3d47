import type pg from 'pg'
import { createTally, type Tally } from './backup.format.ts'

// Each row is a JSON array of the texts that PostgreSQL prints for its values. No value loses precision.

export type Table = {
  name: string
  columns: string[]
  /** A query that returns each row as `line`. */
  reader: string
  writer: string
}

// Skips the migrations, which the head lists, and job_workers, which describes running processes.
const LIST = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name, array_agg(a.name ORDER BY a.place) AS columns,
    format('SELECT array_to_json(ARRAY[%s])::text AS line FROM %I.%I',
      string_agg(format('%I::text', a.name), ', ' ORDER BY a.place), n.nspname, c.relname) AS reader,
    format('INSERT INTO %I.%I (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM jsonb_array_elements($1::jsonb) AS line',
      n.nspname, c.relname, string_agg(format('%I', a.name), ', ' ORDER BY a.place),
      string_agg(format('(line->>%s)::%s', a.place, a.type), ', ' ORDER BY a.place)) AS writer
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL (
    SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type,
      (row_number() OVER (ORDER BY attname COLLATE "C") - 1)::int AS place
    FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  ) a
  WHERE n.nspname IN ('public', 'sandbox') AND c.relkind = 'r'
    AND (n.nspname, c.relname) NOT IN (('public', 'migrations'), ('public', 'job_workers'))
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
  GROUP BY n.nspname, c.relname
  ORDER BY n.nspname, c.relname`

export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  return (await client.query<Table>(LIST)).rows
}

export async function setTextFormat(client: pg.ClientBase) {
  for (const setting of [
    `timezone = 'UTC'`,
    `datestyle = 'ISO, YMD'`,
    `intervalstyle = 'iso_8601'`,
    `bytea_output = 'hex'`,
    `extra_float_digits = 1`,
  ])
    await client.query(`SET ${setting}`)
}

const ROWS_PER_FETCH = 200
const CHUNK_BYTES = 256 * 1024

/** Reads the lines of a table in chunks of about 256 KB, with a cursor in the open transaction. */
export async function* readChunks(client: pg.ClientBase, { reader }: Table): AsyncGenerator<string[]> {
  await client.query(`DECLARE backup_rows NO SCROLL CURSOR FOR ${reader}`)
  let lines: string[] = []
  let size = 0
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${ROWS_PER_FETCH} FROM backup_rows`)
    for (const { line } of rows) {
      lines.push(line)
      size += line.length
      if (size < CHUNK_BYTES) continue
      yield lines
      lines = []
      size = 0
    }
    if (rows.length < ROWS_PER_FETCH) break
  }
  if (lines.length > 0) yield lines
  await client.query('CLOSE backup_rows')
}

export async function measureTable(client: pg.ClientBase, table: Table): Promise<Tally> {
  const tally = createTally()
  for await (const lines of readChunks(client, table)) lines.forEach(tally.add)
  return tally.read()
}
