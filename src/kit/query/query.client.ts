import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { fetchUsed, notifyOfRead } from '../call.client.ts'
import { readReply } from '../call.ts'
import type { Endpoint, Input, Reply } from '../contract.ts'

type Settings = Record<string, string | number | undefined>

/** Returns the path of a key: its segments joined by slashes, and an object at its end as the query string. */
export function pathOfKey(key: QueryKey): string {
  const last = key.at(-1)
  if (typeof last !== 'object' || last === null) return key.join('/')
  const given = Object.entries(last as Settings).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return key.slice(0, -1).join('/') + (given.length > 0 ? `?${search}` : '')
}

/** GETs the path of the key. With `on401: 'returnNull'`, a 401 returns null instead of an error. */
export const getJson =
  ({ on401 = 'throw' }: { on401?: 'throw' | 'returnNull' } = {}) =>
  async ({ queryKey, signal }: { queryKey: QueryKey; signal?: AbortSignal }): Promise<unknown> => {
    const response = await fetchUsed(pathOfKey(queryKey), { credentials: 'include', ...(signal && { signal }) })
    if (on401 === 'returnNull' && response.status === 401) return null
    return readReply(response)
  }

/** Returns a key: 'GET /api/products/:id/reviews' -> ['/api/products', id, 'reviews', rest of the input]. */
export function keyOf<E extends Endpoint>({ line }: E, input: Input<E>): QueryKey {
  const [base = '', ...names] = line.slice('GET '.length).split(/\/:/)
  const rest = { ...(input as Settings) }
  const segments = names.flatMap((part) => {
    const [name = '', ...fixed] = part.split('/')
    const value = rest[name]
    delete rest[name]
    return [encodeURIComponent(String(value)), ...fixed]
  })
  return Object.keys(rest).length > 0 ? [base, ...segments, rest] : [base, ...segments]
}

const readJson = getJson()

/** Returns the query options of a read: useQuery(query(getCart, {})). */
export const query = <E extends Endpoint>(endpoint: E, input: Input<E>) => ({
  queryKey: keyOf(endpoint, input),
  queryFn: readJson as (context: { queryKey: QueryKey; signal?: AbortSignal }) => Promise<Reply<E>>,
})

/** A read of the first view. `meta.isList`: its data is a page of a list. */
export type Read = { queryKey: QueryKey; meta?: Record<string, unknown>; initialPageParam?: unknown }

/** The cache of responses. Queries are never retried and never stale. A reconnect refetches the mounted queries. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notifyOfRead }),
  defaultOptions: {
    queries: {
      queryFn: readJson,
      retry: false,
      refetchOnWindowFocus: false,
      // data may have failed or changed while the browser was offline
      refetchOnReconnect: 'always',
      refetchInterval: false,
      staleTime: Infinity,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Runs changes of one scope in sequence. After a failed change, the next one still runs. */
export const inOrder = <T>(scope: string, run: () => Promise<T>): Promise<T> =>
  queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: run, scope: { id: scope } })
    .execute(undefined)
