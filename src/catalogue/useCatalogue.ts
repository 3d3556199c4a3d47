import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../identity/sessions/useSession.ts'
import type { Input } from '../kit/contract.ts'
import { type ListPage, readList } from '../kit/query/list.client.ts'
import { keyOf, query } from '../kit/query/query.client.ts'
import { getProduct, listCategories, listProducts, type Product } from './catalogue.contract.ts'
import { asSeenBy } from './owner.rules.ts'

export const FEATURED = 3
export const SHELF = 200

export const categoriesQuery = query(listCategories, {})
export const useCategories = () => useQuery(categoriesQuery)

export const pageQuery = (input: Input<typeof listProducts>) => ({
  queryKey: keyOf(listProducts, input),
  queryFn: ({ signal }: { signal: AbortSignal }) => readList(listProducts, input, signal),
  meta: { isList: true },
})
export const featuredQuery = pageQuery({ limit: FEATURED })
export const shelfQuery = pageQuery({ limit: SHELF })

export const useFeatured = () => useQuery(featuredQuery)

export function useProduct(id: string) {
  const cache = useQueryClient()
  const { data, isPending, error, refetch } = useQuery(query(getProduct, { id }))
  const { user } = useSession()
  const known = data ?? findInLists(cache, id)
  return {
    product: known,
    detail: data && asSeenBy(user?.id, data),
    isPending: isPending && !known,
    error,
    refetch,
  }
}

function findInLists(cache: QueryClient, id: string): Product | undefined {
  type Page = ListPage<Product[]>
  const lists = cache.getQueriesData<Page | InfiniteData<Page>>({
    queryKey: ['/api/products'],
    // only lists: the keys of details and reviews continue with a product id
    predicate: ({ queryKey }) => typeof queryKey[1] !== 'string',
  })
  const pages = lists.flatMap(([, list]) => (list && 'pages' in list ? list.pages : (list ?? [])))
  return pages.flatMap(({ items }) => items).find((product) => product.id === id)
}
