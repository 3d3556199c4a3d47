import type { Input } from '../kit/contract.ts'
import { readList } from '../kit/query/list.client.ts'
import { listProducts, type Product } from './catalogue.contract.ts'

export type ProductPage = { products: Product[]; total: number; after: string | null }

export async function readProducts(input: Input<typeof listProducts>, signal?: AbortSignal): Promise<ProductPage> {
  const { items: products, ...rest } = await readList(listProducts, input, signal)
  return { products, ...rest }
}
