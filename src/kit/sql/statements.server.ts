import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from '../database.server.ts'
import { queryTogether, send } from '../prepared.server.ts'
import { parseSqlFile } from './sqlFile.rules.ts'

// Runs the named statements of .sql files. `npm run tables` writes their types (decision 0021).

/** On the pool, statements of one turn of the event loop share a connection, in the order of the calls. */
export type On = pg.Pool | pg.ClientBase | Db | Tx
export type Run<Input, Row> = (on: On, input: Input) => Promise<Row[]>

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Reads a file once, and returns a function that finds a statement by its name. */
export function readStatements(file: URL) {
  const room = basename(file.pathname, '.sql')
  const found = new Map(parseSqlFile(readFileSync(file, 'utf8')).map((one) => [one.name, one]))
  return <Input extends Record<string, unknown>, Row extends object>(name: string): Run<Input, Row> => {
    const statement = found.get(name)
    if (!statement) throw new Error(`${room}.sql has no statement ${name}`)
    const { text, parameters } = statement
    const query = { name: `${room}.${name}`, text }
    return async (on, input) => {
      const values = parameters.map((parameter) => input[parameter])
      if ('executeQuery' in on) return (await on.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
      const { rows, fields } = await ('totalCount' in on
        ? queryTogether(on, { ...query, values })
        : send(on, { ...query, values }))
      return inCamelCase<Row>(rows, fields)
    }
  }
}

function inCamelCase<Row extends object>(rows: Record<string, unknown>[], fields: pg.FieldDef[]): Row[] {
  const names = fields.map(({ name }) => [name, camel(name)] as const)
  return rows.map((row) => Object.fromEntries(names.map(([from, to]) => [to, row[from]])) as Row)
}
