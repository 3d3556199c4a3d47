import type pg from 'pg'
import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { isUuid } from '../../kit/uuid.ts'
import type { Format, Import, RowState, RowView } from './csv.contract.ts'
import * as statements from './imports.statements.server.ts'
import type { Row } from './rows.rules.ts'

const SHOWN = ['id', 'fileName', 'format', 'state', 'columnsLeft', 'ready', 'known', 'bad', 'noted', 'made'] as const
const PAGE = 50

/** Throws a Failure 404 unless the import is the seller's. `isHeld` locks the row. */
export async function readImport(db: Db | Tx, sellerId: string, id: string, isHeld = false): Promise<Import> {
  const found = await db
    .selectFrom('productImports')
    .select(SHOWN)
    .where('id', '=', id)
    .where('sellerId', '=', sellerId)
    .$if(isHeld, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!found) throw new Failure(404, 'Not found')
  return found
}

export async function beginReading(db: Db, given: { sellerId: string; fileName: string; format: Format }) {
  return (await db.insertInto('productImports').values(given).returning('id').executeTakeFirstOrThrow()).id
}

export const keepRows = (db: Db, importId: string, rows: Row[]) =>
  db
    .insertInto('productImportRows')
    .values(rows.map((row) => ({ ...row, importId })))
    .execute()

/** Stores notes for the seller on rows that become products. */
export const noteRows = async (db: Db, importId: string, notes: { number: number; note: string }[]) => {
  if (notes.length === 0) return
  await statements.noteRows(db, { importId, notes: JSON.stringify(notes) })
}

export const dropImport = (db: Db, id: string) => db.deleteFrom('productImports').where('id', '=', id).execute()

/** The prefix of keys from the shop's own export, before the id of the product. */
const OWN_KEY = 'primo:'

/**
 * Marks rows from an export of the seller, in three statements that look up rows by key. PostgreSQL has no statistics
 * of new rows, so it planned a single statement as a comparison of each row with each product.
 */
async function markExported(tx: Tx | Db, id: string) {
  const exported = await tx
    .selectFrom('productImportRows')
    .select(['number', 'key'])
    .where('importId', '=', id)
    .where('state', '=', 'ready')
    .where('key', 'like', `${OWN_KEY}%`)
    .execute()
  const idOf = ({ key }: { key: string }) => key.slice(OWN_KEY.length)
  const rows = await statements.findExported(tx, { importId: id, ids: exported.map(idOf).filter(isUuid) })
  const own = new Set(rows.map((product) => product.id))
  const known = exported.filter((row) => own.has(idOf(row))).map(({ number }) => number)
  await statements.markRows(tx, { importId: id, numbers: known })
}

/** Marks the rows whose products exist already, and counts the rows by state. */
export async function markKnown(tx: Tx | Db, id: string) {
  await statements.markImported(tx, { importId: id })
  await markExported(tx, id)
  const counts = await tx
    .selectFrom('productImportRows')
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .where('importId', '=', id)
    .groupBy('state')
    .execute()
  const of = (state: RowState) => Number(counts.find((one) => one.state === state)?.count ?? 0)
  const { noted } = await tx
    .selectFrom('productImportRows')
    .select((row) => row.fn.countAll().as('noted'))
    .where('importId', '=', id)
    .where('state', '=', 'ready')
    .where('note', 'is not', null)
    .executeTakeFirstOrThrow()
  return { ready: of('ready'), known: of('known'), bad: of('bad'), noted: Number(noted) }
}

export const setImport = (
  db: Db | Tx,
  id: string,
  change: Partial<Pick<Import, 'state' | 'columnsLeft' | 'ready' | 'known' | 'bad' | 'noted' | 'made'>>,
) => db.updateTable('productImports').set(change).where('id', '=', id).execute()

export const listRows = (pool: pg.Pool, page: { importId: string; sellerId: string; view: RowView; after: number }) =>
  statements.listRows(pool, { ...page, limit: PAGE })

/** Returns the next rows that become products, after the row `after`. */
export const takeRows = (tx: Tx, importId: string, after: number, limit: number) =>
  tx
    .selectFrom('productImportRows')
    .select(['number', 'key', 'title', 'description', 'suggestedCents'])
    .select((row) => [
      row.ref('priceCents').$castTo<number>().as('priceCents'),
      row.ref('categoryId').$castTo<string>().as('categoryId'),
    ])
    .where('importId', '=', importId)
    .where('state', '=', 'ready')
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()

export const keepImported = (
  tx: Tx,
  { sellerId, importId, made }: { sellerId: string; importId: string; made: { productId: string; key: string }[] },
) =>
  tx
    .insertInto('importedProducts')
    .values(made.map((one) => ({ ...one, sellerId, importId })))
    .execute()

export const listImported = async (tx: Tx, importId: string): Promise<string[]> => {
  const rows = await tx.selectFrom('importedProducts').select('productId').where('importId', '=', importId).execute()
  return rows.map(({ productId }) => productId)
}

export const dropRows = (tx: Tx, importId: string) =>
  tx.deleteFrom('productImportRows').where('importId', '=', importId).execute()

export const sweepImports = (db: Db) => statements.sweepImports(db, {})
