import type { QueryKey } from '@tanstack/react-query'
import { fetchEarly } from '../call.client.ts'
import { readReply } from '../call.ts'
import type { Endpoint, Input, Reply } from '../contract.ts'
import { keyOf, pathOfKey } from './query.client.ts'

/** A page of a list: `total` counts the whole result, `after` asks for the next page and is null on the last. */
export type ListPage<Items> = { items: Items; total: number; after: string | null }

/** Reads a page of a list with what the headers say about the rest of it. */
export async function readList<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  signal?: AbortSignal,
): Promise<ListPage<Reply<E>>> {
  const path = pathOfKey(keyOf(endpoint, input))
  const response = await fetchEarly(path, { credentials: 'include', ...(signal && { signal }) })
  const items = (await readReply(response)) as Reply<E>
  return {
    items,
    total: Number(response.headers.get('x-total-count') ?? (items as unknown[]).length),
    after: nextAfter(response.headers.get('link')),
  }
}

/** A list as the options of an infinite query. */
export type ListOptions<Items> = {
  queryKey: QueryKey
  queryFn: (context: { pageParam: string | null; signal: AbortSignal }) => Promise<ListPage<Items>>
  initialPageParam: string | null
  getNextPageParam: (page: ListPage<Items>) => string | null
}

export const pagesOf = <E extends Endpoint>(endpoint: E, input: Input<E>): ListOptions<Reply<E>> => ({
  queryKey: keyOf(endpoint, input),
  queryFn: ({ pageParam, signal }) =>
    readList(endpoint, { ...(input as object), after: pageParam ?? undefined } as Input<E>, signal),
  initialPageParam: null,
  getNextPageParam: ({ after }) => after,
})

/** '</api/products?after=x>; rel="next"' -> 'x' */
export function nextAfter(link: string | null): string | null {
  const [, next] = link?.match(/<([^>]*)>;\s*rel="?next"?/) ?? []
  return next ? new URL(next, 'http://shop').searchParams.get('after') : null
}
