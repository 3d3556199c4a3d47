import { setOutOfStock } from '../../catalogue/offSale.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { addJob, type Job } from '../../kit/jobs.server.ts'
import { CODE_STATES, type CodeState, type CodeStock } from './stock.contract.ts'
import { firstOf, lastOf } from '../../kit/values/required.ts'
import * as statements from './stock.statements.server.ts'

// The stock of a product for its seller, and its listing in the shop. The product's row changes only when the stock
// becomes empty or is refilled, because each write evicts the catalogue cache of every node.

const PAGE = 50
export const USUAL_LOW = 5

export async function findStocked(db: Db | Tx, sellerId: string, productId: string) {
  const product = await db
    .selectFrom('products')
    .select(['id', 'delivery', 'hasVariants'])
    .where('id', '=', productId)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!product) throw new Failure(404, 'Product not found')
  return product
}

/** Two stored codes: the newest one, and one without any of these marks. */
export const findSamples = (db: Db, marks: Buffer[]) => statements.findSamples(db, { marks })

type StockQuery = { productId: string; state: CodeState | undefined; after: number | undefined; marks: Buffer[] }

export async function readStock(db: Db, { productId, state, after, marks }: StockQuery) {
  const counted = await statements.countStates(db, { productId })
  const unseen = await statements.countReturnable(db, { productId, marks })
  const counts = Object.fromEntries(CODE_STATES.map((one) => [one, 0])) as CodeStock['counts']
  for (const row of counted) counts[row.state] = row.count
  const rows = await statements.listCodes(db, {
    ...{ productId, marks, limit: PAGE + 1 },
    ...{ wantedState: state ?? null, after: after ?? null },
  })
  const page = rows.slice(0, PAGE)
  return {
    counts,
    returnable: firstOf(unseen).count,
    codes: page,
    next: rows.length > PAGE ? lastOf(page).position : null,
  }
}

export const readLow = async (db: Db, productId: string): Promise<number> =>
  (await db.selectFrom('stockLimits').select('lowAt').where('productId', '=', productId).executeTakeFirst())?.lowAt ??
  USUAL_LOW

export async function saveLow(db: Db, productId: string, lowAt: number) {
  await db
    .insertInto('stockLimits')
    .values({ productId, lowAt })
    .onConflict((conflict) => conflict.column('productId').doUpdateSet({ lowAt }))
    .execute()
}

const AT_ONCE = 5000

type ChangeSome = (tx: Tx, limit: number) => Promise<{ productId: string }[]>

/** Changes codes in batches and returns the count. Each batch is a transaction that also updates the stock. */
async function changeInBatches(db: Db, changeSome: ChangeSome): Promise<number> {
  for (let changed = 0; ;) {
    const some = await inTransaction(db, async (tx) => {
      const rows = await changeSome(tx, AT_ONCE)
      for (const productId of new Set(rows.map((row) => row.productId))) {
        await settleStock(tx, productId)
        // a concurrent sale may have counted the stock before this commit
        await queueSettling(tx, productId)
      }
      return rows.length
    })
    changed += some
    if (some < AT_ONCE) return changed
  }
}

export const voidFree = (db: Db, productId: string, codeId: string | null): Promise<number> =>
  changeInBatches(db, (tx, limit) => statements.voidSome(tx, { productId, codeId, limit }))

export const returnUnseen = (
  db: Db,
  unseen: { productId: string; codeId: string | null; marks: Buffer[] },
): Promise<number> => changeInBatches(db, (tx, limit) => statements.returnSome(tx, { ...unseen, limit }))

/** Withdraws free codes without any of these marks. Codes of format 1 have no mark, and are not withdrawn. */
export const voidUnreadable = (db: Db, marks: Buffer[]): Promise<number> =>
  changeInBatches(db, (tx, limit) => statements.voidUnreadable(tx, { marks, limit }))

const expireCodes = (db: Db): Promise<number> =>
  changeInBatches(db, (tx, limit) => statements.expireSome(tx, { limit }))

/**
 * Lists a product if it has codes, and unlists it if it has none. Every change of a small stock calls this, or queues
 * it to run after the commit.
 */
export async function settleStock(tx: Tx, productId: string): Promise<void> {
  for (const { id } of await statements.findStockedIds(tx, { productId })) await settleOne(tx, id)
}

async function settleOne(tx: Tx, productId: string): Promise<void> {
  if (!isStale(await readStanding(tx, productId))) return
  await statements.lockStocked(tx, { productId })
  // re-reads, because another transaction may have updated it before the lock
  const found = await readStanding(tx, productId)
  if (!isStale(found)) return
  await setOutOfStock(tx, productId, found.isOut)
  if (!found.isOut) await addJob(tx, 'tell_restocked', { productId }, { key: `restocked:${productId}` })
}

type Standing = statements.ReadStandingRow

const isStale = (found: Standing | undefined): found is Standing => found !== undefined && found.wasOut !== found.isOut

const readStanding = async (tx: Tx, productId: string): Promise<Standing | undefined> =>
  (await statements.readStanding(tx, { productId }))[0]

/**
 * Queues the update of a product's listing after the commit. Without a job key: buyers with the same key would wait for
 * each other's transaction.
 */
export const queueSettling = (tx: Tx, productId: string) => addJob(tx, 'settle_stock', { productId })

export const stockJobs = (db: Db): Job[] => [
  {
    name: 'settle_stock',
    pool: 'other',
    run: ({ productId = '' }) => inTransaction(db, (tx) => settleStock(tx, productId)),
  },
  {
    name: 'expire_codes',
    pool: 'other',
    cron: '* * * * *',
    run: async () => void (await expireCodes(db)),
  },
]
