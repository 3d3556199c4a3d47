import type pg from 'pg'
import { Failure } from '../../kit/failure.ts'
import { only } from '../../kit/values/required.ts'
import { CUSTOMERS_STEP, MANY_SALES } from './customers.contract.ts'
import * as statements from './customers.statements.server.ts'

const UNKNOWN = new Failure(404, 'Customer not found')

type AskedCustomers = { q?: string | undefined; limit?: number | undefined; after?: string | undefined }

/** A page of the members who bought from a seller, newest sale first. */
export const readCustomers = async (
  pool: pg.Pool,
  sellerId: string,
  { q = '', limit = CUSTOMERS_STEP, after }: AskedCustomers,
  showsEmail: boolean,
) => only(await statements.listCustomers(pool, { sellerId, q, limit, after: after ?? null, showsEmail }))

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
