import { Readable } from 'node:stream'
import type pg from 'pg'
import { asPage } from '../../catalogue/shelf/cursor.server.ts'
import { writeRow } from '../../kit/csv/csv.rules.ts'
import { asJson, handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { required } from '../../kit/values/required.ts'
import type { SellingConfig } from '../selling.settings.server.ts'
import { type Customer, CUSTOMERS_CSV, getCustomer, listCustomers, saveNote } from './customers.contract.ts'
import { CURSOR, readAllCustomers, readCustomer, readCustomers, writeNote } from './customers.store.server.ts'

const reads: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const changes: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
/** An export reads all sales of the seller. */
const downloads: Limit[] = [{ per: 'account', count: 2, seconds: 60, isShared: true }]

/** The members who bought from a seller. */
export function customerRoutes({ sellersSeeEmail }: SellingConfig): Route[] {
  return [
    handle(listCustomers, { limits: reads, fences: ['members'] }, async ({ q, limit, after }, { user, pool }) => {
      const page = await readCustomers(pool, user.id, { q, limit, after }, sellersSeeEmail && !user.view)
      return asPage(page, CURSOR, '/api/selling/customers', { q, limit })
    }),

    handle(getCustomer, { limits: reads }, async ({ id }, { user, pool }) =>
      asJson(await readCustomer(pool, user.id, id, sellersSeeEmail)),
    ),

    handle(saveNote, { limits: changes }, async ({ id, note, version }, { user, pool }) => ({
      note,
      noteVersion: await writeNote(pool, { sellerId: user.id, userId: id, note, version }),
    })),

    handleRaw(
      `GET ${CUSTOMERS_CSV}`,
      {
        access: 'member',
        about: 'The members who bought from the caller as CSV, newest sale first.',
        limits: downloads,
      },
      async ({ user, pool, signal }) => ({
        status: 200,
        headers: {
          ...COMMON,
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="customers.csv"',
          'cache-control': PERSONAL,
        },
        body: streamCustomers(pool, required(user, 'the member').id, sellersSeeEmail, signal),
      }),
    ),
  ]
}

const HEAD = ['Name', 'E-mail', 'Sales', 'Net', 'First sale', 'Last sale', 'Last product']

const rowOf = ({ name, email, sales, net, firstAt, lastAt, title }: Customer) =>
  writeRow([name, email ?? '', sales, net, firstAt, lastAt, title])

function streamCustomers(pool: pg.Pool, sellerId: string, showsEmail: boolean, signal: AbortSignal): Readable {
  async function* rows() {
    // spreadsheets read UTF-8 by the mark at its beginning
    yield `\uFEFF${writeRow(HEAD)}`
    for await (const customers of readAllCustomers(pool, sellerId, showsEmail)) {
      if (signal.aborted) return
      yield customers.map(rowOf).join('')
    }
  }
  return Readable.from(rows())
}
