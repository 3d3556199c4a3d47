import type pg from 'pg'
import { type Page, readCursor } from '../../catalogue/shelf/cursor.server.ts'
import { Failure } from '../../kit/failure.ts'
import { only } from '../../kit/values/required.ts'
import { readOrderNumber } from '../../orders/number.rules.ts'
import { type Customer, CUSTOMERS_STEP, MANY_SALES } from './customers.contract.ts'
import * as statements from './customers.statements.server.ts'

const UNKNOWN = new Failure(404, 'Customer not found')
export const CURSOR = 'customers'
const AT_ONCE = 1000

type CustomersQuery = { q?: string | undefined; limit?: number | undefined; after?: string | undefined }

/** A page of the members who bought from a seller, newest sale first. `after` is the cursor of the page. */
export async function readCustomers(
  pool: pg.Pool,
  sellerId: string,
  { q = '', limit = CUSTOMERS_STEP, after }: CustomersQuery,
  showsEmail: boolean,
): Promise<Page> {
  const [counted = null, line = null] = readCursor(after, CURSOR, ['number', 'id'])
  const page = { sellerId, showsEmail, limit, counted: counted === null ? null : Number(counted) }
  const place = { ...page, after: line === null ? null : String(line) }
  if (q === '') return only(await statements.listCustomers(pool, place))
  return only(await statements.searchCustomers(pool, { ...place, q, number: readOrderNumber(q)?.text ?? null }))
}

/** Yields all customers of a seller in parts, the newest sale first, each customer once. */
export async function* readAllCustomers(pool: pg.Pool, sellerId: string, showsEmail: boolean) {
  const { ids } = only(await statements.listCustomerIds(pool, { sellerId }))
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const part = { sellerId, showsEmail, ids: ids.slice(start, start + AT_ONCE) }
    yield JSON.parse(only(await statements.readCustomerCards(pool, part)).json) as Customer[]
  }
}

/** Throws a Failure 404 unless the member bought from the seller. */
export async function readCustomer(pool: pg.Pool, sellerId: string, id: string, showsEmail: boolean): Promise<string> {
  const [found] = await statements.readCustomer(pool, { sellerId, id, showsEmail, limit: MANY_SALES })
  if (!found) throw UNKNOWN
  const { card, note, bought } = found
  return JSON.stringify({ ...card, note, bought })
}

/** Saves what a seller wrote about a customer; an empty note is deleted. Throws a Failure 404 for another member. */
export async function writeNote(pool: pg.Pool, about: { sellerId: string; userId: string }, note: string) {
  if (note === '') {
    if (!only(await statements.isCustomer(pool, about)).isCustomer) throw UNKNOWN
    await statements.deleteNote(pool, about)
  } else if ((await statements.saveNote(pool, { ...about, note })).length === 0) throw UNKNOWN
}
