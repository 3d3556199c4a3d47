import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { fetchUsed } from '../call.client.ts'
import { readReply } from '../call.ts'
import type { Endpoint, Input, Reply } from '../contract.ts'
import type { SentReplies } from './firstView.ts'
import { keyOf, pathOfKey, type Read } from './query.client.ts'

/** A page of a list: `total` counts the whole result. `after` is the cursor of the next page, null on the last. */
export type ListPage<Items> = { items: Items; total: number; after: string | null }

export async function readList<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  signal?: AbortSignal,
): Promise<ListPage<Reply<E>>> {
  const path = pathOfKey(keyOf(endpoint, input))
  const response = await fetchUsed(path, { credentials: 'include', ...(signal && { signal }) })
  const items = (await readReply(response)) as Reply<E>
  return listPage(items, response.headers.get('x-total-count'), response.headers.get('link'))
}

const listPage = <Items>(items: Items, total?: string | null, link?: string | null): ListPage<Items> => ({
  items,
  total: Number(total ?? (items as unknown[]).length),
  after: nextAfter(link ?? null),
})

export function fillReads(cache: QueryClient, reads: Read[], replies: SentReplies) {
  for (const read of reads) {
    const reply = replies[pathOfKey(read.queryKey)]
    if (!reply) continue
    const data = read.meta?.isList ? listPage(...reply) : reply[0]
    cache.setQueryData(read.queryKey, 'initialPageParam' in read ? { pages: [data], pageParams: [null] } : data)
  }
}

export type ListOptions<Items> = {
  queryKey: QueryKey
  queryFn: (context: { pageParam: string | null; signal: AbortSignal }) => Promise<ListPage<Items>>
  initialPageParam: string | null
  getNextPageParam: (page: ListPage<Items>) => string | null
  meta: { isList: true }
}

export const pagesOf = <E extends Endpoint>(endpoint: E, input: Input<E>): ListOptions<Reply<E>> => ({
  queryKey: keyOf(endpoint, input),
  queryFn: ({ pageParam, signal }) =>
    readList(endpoint, { ...(input as object), after: pageParam ?? undefined } as Input<E>, signal),
  initialPageParam: null,
  getNextPageParam: ({ after }) => after,
  meta: { isList: true },
})

/** '</api/products?after=x>; rel="next"' -> 'x' */
export function nextAfter(link: string | null): string | null {
  const [, next] = link?.match(/<([^>]*)>;\s*rel="?next"?/) ?? []
  return next ? new URL(next, 'http://shop').searchParams.get('after') : null
}
