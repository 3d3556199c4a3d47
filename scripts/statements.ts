import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { parseSqlFile, type SqlStatement } from '../src/kit/sql/sqlFile.rules.ts'
import { columnTypes, plainTypeOf } from './columnTypes.ts'

// Describes the statements of .sql files on a database and renders typed functions for them.

const ROOT = join(import.meta.dirname, '..')

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (name: string) => name.replace(/^\w/, (letter) => letter.toUpperCase())

export async function describeStatements(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const files = globSync('src/**/*.sql', { cwd: ROOT }).filter((file) => !file.endsWith('.views.sql'))
    const made = new Map<string, string>()
    const known = await columnTypes(client)
    for (const file of files.toSorted()) {
      const source = readFileSync(join(ROOT, file), 'utf8')
      if (!/^-- @name /m.test(source)) continue
      const parts: string[] = []
      for (const statement of parseSqlFile(source)) parts.push(await render(client, file, statement, known))
      made.set(file.replace(/\.sql$/, '.statements.server.ts'), head(file) + parts.join('\n'))
    }
    return made
  } finally {
    await client.end()
  }
}

function head(file: string): string {
  const up = '../'.repeat(dirname(file).split('/').length - 1)
  return `// Made by \`npm run tables\` from ${basename(file)}. Do not edit.
import { readStatements } from '${up}kit/sql/statements.server.ts'

const find = readStatements(new URL('${basename(file)}', import.meta.url))

`
}

type Known = Awaited<ReturnType<typeof columnTypes>>

async function render(client: pg.Client, file: string, statement: SqlStatement, known: Known): Promise<string> {
  const { name, parameters, nullable, types, about } = statement
  const described = await describe(client, statement).catch((error: Error) => {
    throw new Error(`${file}, ${name}: ${error.message}`)
  })
  const orNull = (column: string, type: string) =>
    nullable.includes(column) && !type.endsWith('| null') ? `${type} | null` : type
  const input = parameters.map((parameter, at) => {
    const type = plainTypeOf(described.parameters[at]!)
    return `${parameter}: ${types[parameter] ?? orNull(parameter, type === 'Date' ? 'Date | string' : type)}`
  })
  const row = described.fields.map(({ name: column, tableID, columnID, type }) => {
    const direct = known.get(`${tableID}.${columnID}`)
    return `${camel(column)}: ${types[column] ?? orNull(column, direct ?? plainTypeOf(type))}`
  })
  const shape = (fields: string[]) => (fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<string, never>')
  const comments = about.map((line) => `${line.replace(/^--/, '//')}\n`).join('')
  return `export type ${pascal(name)}Input = ${shape(input)}
export type ${pascal(name)}Row = ${shape(row)}
${comments}export const ${name} = find<${pascal(name)}Input, ${pascal(name)}Row>('${name}')
`
}

type Field = { name: string; tableID: number; columnID: number; type: string }

async function describe(client: pg.Client, { text }: SqlStatement): Promise<{ parameters: string[]; fields: Field[] }> {
  await client.query(`PREPARE described AS ${text}`)
  const { rows } = await client.query<{ types: string[] }>(
    `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'described'`,
  )
  await client.query('DEALLOCATE described')
  const fields = await new Promise<pg.FieldDef[]>((resolve, reject) =>
    client.query(new Description(text, resolve, reject)),
  )
  const { rows: names } = await client.query<{ type: string }>(
    'SELECT format_type(oid, NULL) AS type FROM unnest($1::oid[]) WITH ORDINALITY listed (oid, at) ORDER BY at',
    [fields.map(({ dataTypeID }) => dataTypeID)],
  )
  return {
    parameters: rows[0]?.types ?? [],
    fields: fields.map(({ name, tableID, columnID }, at) => ({ name, tableID, columnID, type: names[at]!.type })),
  }
}

/** Requests the columns of a statement from the server without running it. */
class Description implements pg.Submittable {
  #fields: pg.FieldDef[] = []
  readonly #text: string
  readonly #resolve: (fields: pg.FieldDef[]) => void
  readonly #reject: (error: Error) => void
  constructor(text: string, resolve: (fields: pg.FieldDef[]) => void, reject: (error: Error) => void) {
    this.#text = text
    this.#resolve = resolve
    this.#reject = reject
  }
  submit = (connection: pg.Connection) => {
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }
  handleRowDescription = ({ fields }: { fields: pg.FieldDef[] }) => {
    this.#fields = fields
  }
  handleReadyForQuery = () => this.#resolve(this.#fields)
  handleError = (error: Error) => this.#reject(error)
}

export async function writeStatements(url: string) {
  for (const [file, text] of await describeStatements(url)) writeFileSync(join(ROOT, file), text)
}
