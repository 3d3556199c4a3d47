import { Readable } from 'node:stream'
import type pg from 'pg'
import { type Answer, handleRaw, type Route } from '../../kit/handle.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { writeRow } from '../../kit/csv/csv.rules.ts'
import { lastOf } from '../../kit/values/required.ts'
import { EXPORT_PATH } from './csv.contract.ts'
import { exportProducts, type ExportProductsRow } from './imports.statements.server.ts'

// Streams the products of a seller as a CSV file, page by page.

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
  // set if buyers choose the price; `price` is then the minimum
  'suggested price',
] as const
const AT_ONCE = 500
/** Without this mark, spreadsheets do not read the file as UTF-8. */
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
  let [after, afterId]: [number | null, string | null] = [null, null]
  for (;;) {
    const rows: ExportProductsRow[] = await exportProducts(pool, { sellerId, after, afterId, limit: AT_ONCE })
    if (rows.length > 0) yield rows.map(toLine).join('')
    if (rows.length < AT_ONCE) return
    ;({ key: after, id: afterId } = lastOf(rows))
  }
}

function toLine({ suggested, ...product }: ExportProductsRow): string {
  const row = { ...product, 'suggested price': suggested }
  return writeRow(COLUMNS.map((name) => row[name] ?? ''))
}
