import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../identity/sessions/useSession.ts'
import { keyOf, query } from '../kit/query/query.client.ts'
import { getProduct, listCategories, listProducts, type Product } from './catalogue.contract.ts'
import { asSeenBy } from './owner.rules.ts'
import { type ProductPage, readProducts } from './productPages.client.ts'

/** Featured products on Home. */
export const FEATURED = 3
/** Products in the browser. The server searches a longer catalogue. */
export const SHELF = 200

export const useCategories = () => useQuery(query(listCategories, {}))

const pageQuery = (input: { limit: number }) => ({
  queryKey: keyOf(listProducts, input),
  queryFn: ({ signal }: { signal: AbortSignal }) => readProducts(input, signal),
})
const featuredQuery = pageQuery({ limit: FEATURED })
export const shelfQuery = pageQuery({ limit: SHELF })

export const useFeatured = () => useQuery(featuredQuery)

/** One product. The entry of a loaded list shows while the rest loads. */
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
  type List = Partial<ProductPage> & { pages?: ProductPage[] }
  const lists = cache.getQueriesData<List>({ queryKey: ['/api/products'] })
  const pages = lists.flatMap(([, list]): (Partial<ProductPage> | undefined)[] => list?.pages ?? [list])
  return pages.flatMap((page) => page?.products ?? []).find((product) => product.id === id)
}
