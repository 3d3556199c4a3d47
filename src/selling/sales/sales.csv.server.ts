import { Readable } from 'node:stream'
import type pg from 'pg'
import { writeRow } from '../../kit/csv/csv.rules.ts'
import type { Sale } from './sales.contract.ts'
import { type AskedSales, readSalesPage } from './sales.store.server.ts'

const PAGE = 1000

const MONEY = ['Revenue', 'Fee', 'Refunded', 'Fee returned', 'Net']
const HEAD = ['Sold at', 'Order', 'Product', 'Copies', ...MONEY, 'State', 'Country']

const rowOf = ({ soldAt, number, title, quantity, state, country, ...sale }: Sale) => {
  const money = [sale.amount, sale.fee, sale.refunded, sale.refundedFee, sale.net]
  return writeRow([soldAt, number, title, quantity, ...money, state, country])
}

/** Streams the sales, newest first, a page of the list at a time. */
export function streamSales(pool: pg.Pool, sellerId: string, which: AskedSales, signal: AbortSignal): Readable {
  async function* rows() {
    // spreadsheets detect UTF-8 by the byte order mark
    yield `\uFEFF${writeRow(HEAD)}`
    for (let after: string | undefined; ;) {
      const page = await readSalesPage(pool, sellerId, { ...which, limit: PAGE, after })
      yield (JSON.parse(page.json) as Sale[]).map(rowOf).join('')
      if (page.next === null || signal.aborted) return
      after = page.next
    }
  }
  return Readable.from(rows())
}
