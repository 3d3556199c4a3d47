import { randomUUID } from 'node:crypto'
import { finished } from 'node:stream'
import { addDrafts, deleteDrafts } from '../../catalogue/drafts.store.server.ts'
import { codeOf, type Database, type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { addJob, type Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { drain } from '../../uploads/signedPut.server.ts'
import {
  getImport,
  type Import,
  IMPORTS_PATH,
  listImportRows,
  MAX_BYTES,
  MAX_PRODUCTS,
  startImport,
  undoImport,
} from './csv.contract.ts'
import {
  beginReading,
  dropImport,
  dropRows,
  keepImported,
  keepRows,
  listImported,
  listRows,
  markKnown,
  noteRows,
  readImport,
  setImport,
  sweepImports,
  takeRows,
} from './imports.store.server.ts'
import { lockImports } from './imports.statements.server.ts'
import type { CsvRecord } from './csvRecord.rules.ts'
import { refuseHeader } from './formats.rules.ts'
import { readRecords, tooLarge } from './readFile.server.ts'
import { readRows, type RowRecord } from './readRows.server.ts'
import { openRows, type Shared } from './rows.rules.ts'

// The server stores the rows of a file, the seller checks them, and a job creates drafts in one transaction.

const AT_ONCE = 500
/** Timeout of an upload. */
const MAX_MS = 10 * 60_000
/** Maximum number of products of a seller. */
const MAX_OWN = 50_000

const files = [{ per: 'account', count: 30, seconds: 3600, isShared: true }] as const
const looks = [{ per: 'account', count: 240, seconds: 60 }] as const

export const importRoutes: Route[] = [
  handleRaw(
    `POST ${IMPORTS_PATH}`,
    {
      access: 'member',
      about:
        'Reads a CSV file of products: our own export, or one of Gumroad, Shopify or WooCommerce. Adds nothing to the shop. `category` applies to products without one, `name` is the name of the file.',
      body: 'stream',
      bodyLimit: MAX_BYTES,
      limits: [...files],
    },
    async (page) => {
      const clock = setTimeout(() => page.stream.destroy(), MAX_MS)
      finished(page.stream, () => clearTimeout(clock))
      try {
        if (Number(page.header('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
        const found = await readFile(page, page.user!.id)
        const headers = { ...COMMON, 'content-type': 'application/json', 'cache-control': PERSONAL }
        return { status: 201, headers, body: JSON.stringify(found) }
      } finally {
        await drain(page.stream, MAX_BYTES)
      }
    },
  ),

  handle(getImport, { limits: [...looks] }, ({ id }, { db, user }) => readImport(db, user.id, id)),

  handle(listImportRows, { limits: [...looks] }, async ({ id, state, after = 0 }, { db, pool, user }) => {
    const found = await readImport(db, user.id, id)
    const [page] = await listRows(pool, { importId: id, sellerId: user.id, view: state, after })
    return asJson(page!.json, { 'x-total-count': String(found[state]) })
  }),

  handle(startImport, { limits: [...files] }, async ({ id, skipsBad }, { db, user }) => {
    await inTransaction(db, async (tx) => {
      const found = await readImport(tx, user.id, id, true)
      if (found.state !== 'preview' && found.state !== 'failed')
        throw new Failure(409, 'This file is imported already.', 'started')
      if (found.bad > 0 && !skipsBad)
        throw new Failure(409, 'The file has bad rows. Mend them, or choose to skip them.', 'bad_rows')
      if (found.ready === 0) throw new Failure(409, 'The file has no new products.', 'nothing_new')
      await refuseTooMany(tx, user.id, found.ready)
      await setImport(tx, id, { state: 'running', made: 0 })
      await addJob(tx, 'import_products', { id, sellerId: user.id }, { key: `import:${id}`, queue: `files:${user.id}` })
    })
    return readImport(db, user.id, id)
  }),

  handle(undoImport, { limits: [...files] }, ({ id }, { db, user }) =>
    inTransaction(db, async (tx) => {
      const { state } = await readImport(tx, user.id, id, true)
      if (state !== 'done') throw new Failure(409, 'There is nothing to undo.', 'not_done')
      const made = await listImported(tx, id)
      let deleted = 0
      for (let at = 0; at < made.length; at += AT_ONCE)
        deleted += await deleteDrafts(tx, user.id, made.slice(at, at + AT_ONCE))
      await setImport(tx, id, { state: 'undone' })
      return { deleted, kept: made.length - deleted }
    }),
  ),
]

export const importJobs = (database: Database): Job[] => [
  {
    name: 'import_products',
    pool: 'files',
    run: ({ id = '', sellerId = '' }) => makeDrafts(database.db, id, sellerId),
  },
  { name: 'sweep_imports', pool: 'other', cron: '37 * * * *', run: async () => void (await sweepImports(database.db)) },
]

/** Stores the rows of the file and returns the import. */
async function readFile({ db, stream, query }: Page, sellerId: string): Promise<Import> {
  const categories = await db.selectFrom('categories').select(['id', 'name']).execute()
  const fallback = query.get('category')
  if (fallback !== null && !categories.some((one) => one.id === fallback))
    throw new Failure(400, 'category: There is no such category', 'invalid', { details: { field: 'category' } })
  const fileName = (query.get('name') ?? 'products.csv').replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, 255)
  let id: string | undefined
  try {
    let header: string[] = []
    let shared: Shared = { seen: new Map(), left: new Set(), variants: new Map() }
    let batch: RowRecord[] = []
    let number = 0
    let products = 0
    const keepBatch = async () => {
      if (batch.length === 0) return
      const read = await readRows({ header, terms: { categories, fallback, shared }, records: batch }, sellerId)
      batch = []
      shared = read.shared
      products += read.rows.length
      if (products > MAX_PRODUCTS)
        throw new Failure(
          413,
          `The file has more than ${MAX_PRODUCTS.toLocaleString('en')} products. Split it.`,
          'too_many',
        )
      if (read.rows.length > 0) await keepRows(db, id!, read.rows)
    }
    for await (const record of readRecords(stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)) {
      number++
      if (record.cells.every((cell) => cell.trim() === '')) continue
      if (!id) {
        header = record.cells
        const { layout } = openTable(record, { categories, fallback })
        id = await beginReading(db, { sellerId, fileName, format: layout.format })
        continue
      }
      batch.push({ ...record, number })
      if (batch.length >= AT_ONCE) await keepBatch()
    }
    await keepBatch()
    if (!id || products === 0) throw new Failure(400, 'The file has no products under its header.', 'empty')
    const whole = openRows(header, { categories, fallback, shared })
    await noteRows(db, id, whole?.notes() ?? [])
    const counts = await markKnown(db, id)
    await setImport(db, id, {
      ...counts,
      state: 'preview',
      columnsLeft: whole?.columnsLeft() ?? [],
    })
    return await readImport(db, sellerId, id)
  } catch (error) {
    if (id) await dropImport(db, id)
    throw error
  }
}

/** Throws a Failure for an unknown header. */
function openTable({ cells, problem }: CsvRecord, terms: Parameters<typeof openRows>[1]) {
  if (problem !== null) throw new Failure(400, `Row 1: ${problem}`, 'unreadable')
  const refusal = refuseHeader(cells)
  const rows = openRows(cells, terms)
  if (refusal !== null || !rows) throw new Failure(400, refusal ?? 'The file has no products.', 'unknown_format')
  return rows
}

async function refuseTooMany(tx: Tx, sellerId: string, more: number) {
  const { count } = await tx
    .selectFrom('products')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) + more > MAX_OWN)
    throw new Failure(409, `You can have ${MAX_OWN.toLocaleString('en')} products at most.`, 'too_many')
}

/** Creates all drafts or none. A second run of the job changes nothing, because the import is done. */
export async function makeDrafts(db: Db, id: string, sellerId: string) {
  try {
    await inTransaction(db, async (tx) => {
      await lockImports(tx, { sellerId })
      const { state } = await readImport(tx, sellerId, id)
      if (state !== 'running') return
      const counts = await markKnown(tx, id)
      let made = 0
      for (let after = 0; ;) {
        const rows = await takeRows(tx, id, after, AT_ONCE)
        if (rows.length === 0) break
        after = rows.at(-1)!.number
        const drafts = rows.map(({ key, number: place, ...draft }) => ({
          key,
          draft: { id: randomUUID(), place, ...draft },
        }))
        await addDrafts(
          tx,
          sellerId,
          drafts.map(({ draft }) => draft),
        )
        const keys = drafts.map(({ draft, key }) => ({ productId: draft.id, key }))
        await keepImported(tx, { sellerId, importId: id, made: keys })
        made += rows.length
        // on a separate connection, so that the page shows the progress before the commit
        await setImport(db, id, { made })
      }
      await dropRows(tx, id)
      await setImport(tx, id, { ...counts, state: 'done', made })
    })
  } catch (error) {
    // the category or the account was deleted, so a retry would fail too
    if (!/^23/.test(codeOf(error)) && !(error instanceof Failure)) throw error
    log.warn('an import of products was given up', { error, import: id })
    await setImport(db, id, { state: 'failed', made: 0 })
  }
}
