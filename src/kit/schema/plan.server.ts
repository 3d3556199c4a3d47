import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { isUnclear, type Lock, locksOf, narrowingOf, type Waiting, type Work } from './statements.rules.ts'
import { firstOf, required } from '../values/required.ts'

// Predicts which tables pending migrations will lock, and for about how long.

export type PlannedLock = Lock & { rows: number; seconds: number }
export type PlannedFile = {
  name: string
  /** Each statement runs in a separate transaction, which releases its locks. */
  isOneByOne: boolean
  locks: PlannedLock[]
  seconds: number
  narrowing: string[]
  isUnclear: boolean
}

/** Assumed rows per second, for two cores and a local disk. */
const ROWS_A_SECOND: Record<Work, number> = {
  none: Infinity,
  'reads the table': 1_000_000,
  'builds an index': 300_000,
  'writes rows': 20_000,
}

export async function planMigrations(client: pg.ClientBase, names: string[], folder: string): Promise<PlannedFile[]> {
  const { rows: sizes } = await client.query<{ name: string; rows: number }>(
    `SELECT relname AS name, greatest(reltuples, 0)::float8 AS rows FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  )
  const rowsOf = new Map(sizes.map(({ name, rows }) => [name, rows]))
  const { rows: owners } = await client.query<{ name: string; table: string }>(
    `SELECT indexrelid::regclass::text AS name, indrelid::regclass::text AS table FROM pg_index
     UNION ALL SELECT conname, rel::regclass::text FROM pg_constraint, unnest(ARRAY[conrelid, confrelid]) rel WHERE rel <> 0`,
  )
  return names.map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8')
    const own = locksOf(sql).flatMap((lock): Lock[] =>
      'table' in lock
        ? [lock]
        : owners
            .filter((owner) => owner.name === lock.dropped)
            .map(({ table }) => ({ table, waiting: 'reads and writes', work: 'none' })),
    )
    // omits tables that an earlier pending file creates
    const known = own.filter(({ table }) => rowsOf.has(table))
    const locks = known.map((lock) => {
      const rows = required(rowsOf.get(lock.table), 'the size of a table')
      return { ...lock, rows, seconds: rows / ROWS_A_SECOND[lock.work] }
    })
    const seconds = locks.reduce((sum, lock) => sum + lock.seconds, 0)
    return {
      name,
      isOneByOne: sql.startsWith('-- One by one: '),
      locks,
      seconds,
      narrowing: narrowingOf(sql),
      isUnclear: isUnclear(sql),
    }
  })
}

const RANK: Waiting[] = ['nothing', 'writes', 'reads and writes']
const count = (rows: number) => Math.round(rows).toLocaleString('en-US')
const duration = (seconds: number) => (seconds < 1 ? 'less than 1 s' : `about ${count(seconds)} s`)

export function showPlan(files: PlannedFile[]): string[] {
  return files.flatMap(({ name, isOneByOne, locks, seconds, narrowing, ...file }) => {
    const tables = [...new Set(locks.map(({ table }) => table))]
    const lines = tables.map((table) => {
      const own = locks.filter((lock) => lock.table === table)
      const first = locks.findIndex((lock) => lock.table === table && lock.waiting !== 'nothing')
      const held = isOneByOne ? own : first < 0 ? [] : locks.slice(first)
      const heldSeconds = held.reduce((sum, lock) => sum + lock.seconds, 0)
      const waiting = firstOf(own.map((lock) => lock.waiting).toSorted((a, b) => RANK.indexOf(b) - RANK.indexOf(a)))
      const works = [...new Set(own.map(({ work }) => work).filter((work) => work !== 'none'))]
      const does = works.length > 0 ? `; ${works.join(', ')} (${count(firstOf(own).rows)} rows)` : ''
      const waits = waiting === 'nothing' ? 'nothing waits' : `${waiting} wait ${duration(heldSeconds)}`
      return `  ${table}: ${waits}${does}`
    })
    const beside = narrowing.length > 0 ? [`  stop all nodes of the former release first: ${narrowing[0]}`] : []
    if (file.isUnclear) lines.push('  a block makes up statements while it runs: read the file for what else it locks')
    return [`${name}: ${duration(seconds)}`, ...(lines.length > 0 ? lines : ['  locks no table in use']), ...beside]
  })
}
