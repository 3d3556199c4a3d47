import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Reply } from '../../kit/contract.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { listProducts, suggestProducts } from '../catalogue.contract.ts'
import { shelfQuery } from '../useCatalogue.ts'
import { isFiltered, isServersOrder, pick } from './pick.rules.ts'
import { readPrice } from './pricePhrase.rules.ts'
import { type Filters, UNSORTED } from './shelf.rules.ts'

export type Suggestions = Reply<typeof suggestProducts>

/**
 * Loads the product list. The server searches, sorts by age and pages long lists. Until its response, and offline, the
 * browser filters the loaded products. `total` counts the whole result.
 */
export function useShelf(filters: Filters) {
  const all = useQuery(shelfQuery)
  const searched = filters.q.trim()
  const hasWords = readPrice(searched).words !== ''
  const isHere = hasAllProducts(all.data) && !isServersOrder(filters.sort) && !filters.isAnyStock && !hasWords
  const asked = askedOf(filters)
  const pages = useInfiniteQuery({ ...pagesOf(listProducts, asked), enabled: all.data !== undefined && !isHere })
  const here = useMemo(() => pick(all.data?.items ?? [], filters), [all.data, filters])
  const source = isHere || !all.data ? all : pages
  const isAwaited = !isHere && pages.isPending
  const products = isHere || !pages.data ? here : pages.data.pages.flatMap(({ items }) => items)
  // with a filter, the unfiltered search may still have matches
  const isNothing = hasWords && !isFiltered(filters) && pages.data !== undefined && products.length === 0
  const { data: suggestions, isFetching: isGuessing } = useQuery({
    ...query(suggestProducts, { q: searched }),
    enabled: isNothing,
  })
  return {
    products,
    total: isHere ? here.length : (pages.data?.pages[0]?.total ?? here.length),
    isPending: all.isPending || (isAwaited && here.length === 0 && !pages.isError),
    // suggestions appear above the list, so the list waits for them
    isSettling: isAwaited || isGuessing,
    isRanked: hasWords,
    suggestions: isNothing ? suggestions : undefined,
    hasError: source.isError && here.length === 0,
    isFetching: source.isFetching,
    refetch: () => void source.refetch(),
    readMore: !isHere && pages.hasNextPage ? () => void pages.fetchNextPage() : null,
  }
}

const hasAllProducts = (shelf: { items: unknown[]; total: number } | undefined) =>
  shelf !== undefined && shelf.total <= shelf.items.length

const askedOf = ({ q, categoryId, sort, price, stars, kind, isAnyStock }: Filters) => ({
  limit: 48,
  // the server's default order: featured first, or the best match of a search
  sort: sort === UNSORTED ? undefined : sort,
  q: q.trim() || undefined,
  categoryId: categoryId ?? undefined,
  price: price ?? undefined,
  stars: stars ?? undefined,
  kind: kind ?? undefined,
  ...(isAnyStock && { stock: 'any' as const }),
})
