import type pg from 'pg'
import { type Page, readCursor } from '../../catalogue/shelf/cursor.server.ts'
import { Failure } from '../../kit/failure.ts'
import { only } from '../../kit/values/required.ts'
import { readOrderNumber } from '../../orders/number.rules.ts'
import { type Customer, CUSTOMERS_STEP, MANY_SALES } from './customers.contract.ts'
import * as statements from './customers.statements.server.ts'

const UNKNOWN = new Failure(404, 'Customer not found')
const CHANGED = new Failure(409, 'This note was changed elsewhere. Compare both versions and save again.', 'changed')
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
  const { card, ...rest } = found
  return JSON.stringify({ ...card, ...rest })
}

type Note = { sellerId: string; userId: string; note: string; version: number }

/**
 * Saves what a seller wrote about a customer, and deletes an empty note. Returns its version. Throws a Failure 404 for
 * another member, and 409 if the note was saved elsewhere since `version`.
 */
export async function writeNote(pool: pg.Pool, { note, ...place }: Note): Promise<number> {
  const { sellerId, userId, version } = place
  if (note === '') {
    if ((await statements.deleteNote(pool, place)).length > 0) return 0
  } else {
    const [saved] = await statements.saveNote(pool, { ...place, note })
    if (saved) return saved.version
  }
  const present = only(await statements.readNoteState(pool, { sellerId, userId }))
  if (!present.isCustomer) throw UNKNOWN
  if (note === '' && present.version === 0) return 0
  throw present.version === version ? UNKNOWN : CHANGED
}
