import { Readable } from 'node:stream'
import type pg from 'pg'
import { CREATED, momentOf } from '../../catalogue/product.sql.server.ts'
import { statement } from '../../kit/database.server.ts'
import { type Answer, handleRaw, type Route } from '../../kit/handle.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { decimalOf, isoOf } from '../../kit/sql/json.server.ts'
import { STATUS, STOCK, SALES } from '../ownProducts.store.server.ts'
import { writeRow } from '../../kit/csv/csv.rules.ts'
import { EXPORT_PATH } from './csv.contract.ts'

// The products of a seller as a CSV file, read page by page while it is sent.

export const COLUMNS = [
  'id',
  'title',
  'description',
  'price',
  'category',
  'status',
  'stock',
  'sales',
  'created',
  // where buyers choose the price, which is the least then
  'suggested price',
] as const
const AT_ONCE = 500
/** Spreadsheets take a file without it for another encoding. */
const BYTE_ORDER_MARK = '\ufeff'

export const exportRoute: Route = handleRaw(
  `GET ${EXPORT_PATH}`,
  {
    access: 'member',
    about: "The caller's products as a CSV file, also those that are not on sale. An import takes it again.",
    limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }],
  },
  async ({ user, pool }): Promise<Answer> => ({
    status: 200,
    headers: {
      ...COMMON,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="products.csv"',
      'cache-control': PERSONAL,
    },
    body: Readable.from(writeProducts(pool, user!.id), { objectMode: false }),
  }),
)

async function* writeProducts(pool: pg.Pool, sellerId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + writeRow([...COLUMNS])
  let [created, id]: [string | null, string | null] = [null, null]
  for (;;) {
    const rows: Exported[] = await readPage(pool, sellerId, created, id)
    if (rows.length > 0) yield rows.map((row) => writeRow(COLUMNS.map((name) => row[name] ?? ''))).join('')
    if (rows.length < AT_ONCE) return
    ;({ key: created, id } = rows.at(-1)!)
  }
}

type Exported = Record<(typeof COLUMNS)[number], string> & { key: string }

const readPage = statement<Exported, [sellerId: string, created: string | null, id: string | null]>(
  'export_products',
  `SELECT p.id, p.title, p.description, ${decimalOf('p.price_cents')} AS price, ${decimalOf('p.suggested_cents')} AS "suggested price", c.name AS category, ${STATUS} AS status,
    (${STOCK})::text AS stock, (${SALES})::text AS sales, ${isoOf('p.created_at')} AS created, ${CREATED}::text AS key
  FROM products p JOIN categories c ON c.id = p.category_id
  WHERE p.seller_id = $1 AND p.deleted_at IS NULL AND p.variant_of IS NULL AND ($3::uuid IS NULL OR (p.created_at, p.id) < (${momentOf('$2')}, $3))
  ORDER BY p.created_at DESC, p.id DESC LIMIT ${AT_ONCE}`,
)
