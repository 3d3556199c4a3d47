import type pg from 'pg'
import { Failure } from '../kit/failure.ts'
import * as statements from './product.statements.server.ts'

/** Copies the texts of a product into a new draft and returns its id. Image and file cannot be shared. */
export async function copyProduct(pool: pg.Pool, { sellerId, id }: { sellerId: string; id: string }): Promise<string> {
  const [copy] = await statements.copyProduct(pool, { id, sellerId, ending: ' (copy)' })
  if (!copy) throw new Failure(404, 'Product not found')
  return copy.id
}
