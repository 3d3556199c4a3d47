import type pg from 'pg'
import { Failure } from '../kit/failure.ts'
import * as statements from './product.statements.server.ts'

/** Copies the words of a seller's product into a draft; answers its id. Image and file belong to one product each. */
export async function copyProduct(pool: pg.Pool, { sellerId, id }: { sellerId: string; id: string }): Promise<string> {
  const [copy] = await statements.copyProduct(pool, { id, sellerId, ending: ' (copy)' })
  if (!copy) throw new Failure(404, 'Product not found')
  return copy.id
}
