import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { TYPES } from './columnTypes.ts'

// `npm run tables` writes row types from the live schema to src/kit/tables.ts, and typed functions for the statements
// of each .sql file. Tests fail if they are outdated.

type Column = {
  table_name: string
  column_name: string
  data_type: string
  is_nullable: 'YES' | 'NO'
  has_default: boolean
  is_always: boolean
  choices: string[] | null
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (name: string) => camel(`_${name}`)

/** Renders src/kit/tables.ts for a database. Columns with a CHECK list of texts become unions. */
export async function describeTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Column>(`
      SELECT c.table_name, c.column_name, c.data_type, c.is_nullable,
        (c.column_default IS NOT NULL) AS has_default,
        (c.is_identity = 'YES' OR c.is_generated = 'ALWAYS') AS is_always,
        (SELECT array_agg(m[1]) FROM pg_constraint k, regexp_matches(pg_get_constraintdef(k.oid), '''([a-z_-]+)''::text', 'g') m
          WHERE k.conrelid = format('%I.%I', c.table_schema, c.table_name)::regclass AND k.contype = 'c'
            AND array_length(k.conkey, 1) = 1 AND k.conkey[1] = c.ordinal_position
            AND pg_get_constraintdef(k.oid) LIKE '%= ANY (ARRAY[%') AS choices
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> 'migrations'
      ORDER BY c.table_name, c.ordinal_position`)
    return render(rows)
  } finally {
    await client.end()
  }
}

function typeOf(column: Column): string {
  const plain = column.choices ? column.choices.map((choice) => `'${choice}'`).join(' | ') : TYPES[column.data_type]
  if (!plain) throw new Error(`${column.table_name}.${column.column_name}: no type for ${column.data_type}`)
  const type = column.is_nullable === 'YES' ? `${plain} | null` : plain
  if (column.is_always) return `GeneratedAlways<${type}>`
  if (plain === 'Timestamp' && column.has_default) return 'GeneratedTimestamp'
  return column.has_default ? `Generated<${type}>` : type
}

function render(columns: Column[]): string {
  const tables = Map.groupBy(columns, (column) => column.table_name)
  const parts = [...tables].map(
    ([name, list]) =>
      `export type ${pascal(name)}Table = {\n${list.map((column) => `  ${camel(column.column_name)}: ${typeOf(column)}\n`).join('')}}\n`,
  )
  const index = [...tables.keys()].map((name) => `  ${camel(name)}: ${pascal(name)}Table\n`).join('')
  return [
    '// Made by `npm run tables` from the live schema. Do not edit.\n',
    "import type { ColumnType, Generated, GeneratedAlways } from 'kysely'\n\n",
    'export type Timestamp = ColumnType<Date, Date | string, Date | string>\n',
    'export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>\n\n',
    parts.join('\n'),
    `\nexport type Tables = {\n${index}}\n`,
  ].join('')
}

if (import.meta.main) {
  const { startEmbedded } = await import('../src/kit/embedded/embedded.server.ts')
  const { migrate } = await import('../src/kit/schema/migrate.server.ts')
  const { mkdtempSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const embedded = await startEmbedded({ dataDir: mkdtempSync(join(tmpdir(), 'primo-tables-')) })
  await migrate(embedded.ownerUrl)
  writeFileSync(join(import.meta.dirname, '../src/kit/tables.ts'), await describeTables(embedded.ownerUrl))
  const { writeStatements } = await import('./statements.ts')
  await writeStatements(embedded.ownerUrl)
  await embedded.stop()
}
