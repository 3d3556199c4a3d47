import { fetchEarly } from '../kit/call.client.ts'
import { refusal } from '../kit/call.ts'
import type { Input } from '../kit/contract.ts'
import { keyOf, pathOfKey } from '../kit/query.client.ts'
import { listProducts, type Product } from './catalogue.contract.ts'

/** A page of a list: `total` counts the whole result, `after` asks for the next page and is null on the last. */
export type ProductPage = { products: Product[]; total: number; after: string | null }

/** Products with what the headers say about the rest of the list. */
export async function readProducts(input: Input<typeof listProducts>, signal?: AbortSignal): Promise<ProductPage> {
  const response = await fetchEarly(pathOfKey(keyOf(listProducts, input)), {
    credentials: 'include',
    ...(signal && { signal }),
  })
  const text = await response.text()
  if (!response.ok) throw refusal(response, text)
  const products = JSON.parse(text) as Product[]
  return {
    products,
    total: Number(response.headers.get('x-total-count') ?? products.length),
    after: nextAfter(response.headers.get('link')),
  }
}

/** '</api/products?after=x>; rel="next"' -> 'x' */
export function nextAfter(link: string | null): string | null {
  const [, next] = link?.match(/<([^>]*)>;\s*rel="?next"?/) ?? []
  return next ? new URL(next, 'http://shop').searchParams.get('after') : null
}
