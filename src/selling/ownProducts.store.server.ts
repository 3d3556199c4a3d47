import type pg from 'pg'
import type * as z from 'zod/mini'
import { asPage, type KeyKind, type Page, readCursor } from '../catalogue/shelf/cursor.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, type JsonText } from '../kit/handle.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './ownProducts.statements.server.ts'
import { type listOwnProducts, MANY_OWN, type OwnSort } from './selling.contract.ts'

// A seller's own products. An index finds them, so search, filter and sort read no other seller's products.

type Start = { sellerId: string; limit: number; afterId: string | null }
type Key = string | number | null

const numberOf = (key: Key) => (typeof key === 'number' ? key : null)
const textOf = (key: Key) => (typeof key === 'string' ? key : null)

const byNumber =
  (list: (pool: pg.Pool, input: Start & { key: number | null }) => Promise<Page[]>) =>
  (pool: pg.Pool, start: Start, key: Key) =>
    list(pool, { ...start, key: numberOf(key) })

// Orders that have an index. Order by sales lags some seconds, until the job has counted new sales.
const INDEXED = {
  newest: byNumber(statements.listNewest),
  sales: byNumber(statements.listBySales),
  views: byNumber(statements.listByViews),
  price: byNumber(statements.listByPrice),
  title: (pool: pg.Pool, start: Start, key: Key) => statements.listByTitle(pool, { ...start, key: textOf(key) }),
}

const isIndexed = (sort: OwnSort): sort is keyof typeof INDEXED => sort in INDEXED

type OwnProductsQuery = z.output<typeof listOwnProducts.input>

export async function readOwnProducts(pool: pg.Pool, sellerId: string, asked: OwnProductsQuery): Promise<JsonText> {
  const { q = '', status = null, sort = 'newest', limit = MANY_OWN, after } = asked
  const kind: KeyKind = sort === 'title' ? 'text' : 'number'
  const [key = null, id = null] = readCursor(after, `own-${sort}`, [kind, 'id'])
  const start = { sellerId, limit, afterId: textOf(id) }
  const pages =
    q === '' && status === null && isIndexed(sort)
      ? await INDEXED[sort](pool, start, key)
      : await statements.listSome(pool, { ...start, sort, q, status, amount: numberOf(key), label: textOf(key) })
  return asPage(only(pages), `own-${sort}`, '/api/account/products', { ...asked, limit })
}

/** Throws a Failure 404 unless the product is the seller's. */
export async function readOwnProduct(pool: pg.Pool, sellerId: string, id: string): Promise<JsonText> {
  const [product] = await statements.readOwnProduct(pool, { sellerId, id })
  if (!product) throw new Failure(404, 'Product not found')
  return asJson(product.json)
}

export const readParts = async (pool: pg.Pool, sellerId: string): Promise<JsonText> =>
  asJson(only(await statements.readParts(pool, { sellerId })).json)
